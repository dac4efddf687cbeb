import { act, render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PassingSuccess, usePassingSuccess } from './passing-success.tsx'

let tell: (text: string) => void

function Host() {
  const [success, next] = usePassingSuccess()
  tell = next
  return <PassingSuccess success={success} />
}

test('the place of a success stands before its words, and the same success said again begins its three seconds anew', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  render(<Host />)
  const place = screen.getByRole('status')
  expect(place.textContent).toBe('')
  act(() => tell('Saved'))
  expect(place.textContent).toBe('Saved')
  const said = place.firstChild
  act(() => void vi.advanceTimersByTime(2_000))
  act(() => tell('Saved'))
  expect(place.firstChild).not.toBe(said)
  act(() => void vi.advanceTimersByTime(2_000))
  expect(place.textContent).toBe('Saved')
  act(() => void vi.advanceTimersByTime(1_000))
  expect(place.textContent).toBe('')
  expect(screen.getByRole('status')).toBe(place)
})
