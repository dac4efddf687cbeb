import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PassingSuccess, usePassingSuccess } from './passing-success.tsx'

function Host() {
  const [success, tell] = usePassingSuccess()
  return (
    <>
      <button onClick={() => tell('Saved')}>Save</button>
      <PassingSuccess success={success} />
    </>
  )
}

test('the place of a success stands before its words, and the same success said again begins its three seconds anew', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  render(<Host />)
  const place = screen.getByRole('status')
  expect(place.textContent).toBe('')
  fireEvent.click(screen.getByRole('button'))
  expect(place.textContent).toBe('Saved')
  const said = place.firstChild
  act(() => void vi.advanceTimersByTime(2_000))
  fireEvent.click(screen.getByRole('button'))
  expect(place.firstChild).not.toBe(said)
  act(() => void vi.advanceTimersByTime(2_000))
  expect(place.textContent).toBe('Saved')
  act(() => void vi.advanceTimersByTime(1_000))
  expect(place.textContent).toBe('')
  expect(screen.getByRole('status')).toBe(place)
})
