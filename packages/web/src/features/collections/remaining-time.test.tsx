import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { formatRemaining, RemainingTime } from './remaining-time.tsx'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]

test.each([
  [41 * DAY + 7 * HOUR, '41 days'],
  [7 * DAY, '7 days'],
  [6 * DAY + 3 * HOUR, '6 days 3 hours'],
  [DAY + 59 * MINUTE, '1 day'],
  [5 * HOUR + 30 * MINUTE, '5 hours 30 minutes'],
  [HOUR, '1 hour'],
  [59 * MINUTE + 59_000, '59 minutes'],
  [59_000, 'Under a minute'],
])('%i ms remaining are said as %s', (ms, words) => {
  expect(formatRemaining(ms)).toBe(words)
})

test('that an approval is over shows as soon as the server has said so, not with the next tick', () => {
  const saidAt = Date.now()
  const draw = (seconds: number, at: number) => {
    const collection = { expire_time: '2026-01-31T18:00:00.000Z', remaining_approval_time: seconds, proofid: 'X' }
    return <RemainingTime collection={collection} saidAt={at} />
  }
  const { rerender } = render(draw(5, saidAt))
  screen.getByText('Under a minute')
  rerender(draw(0, saidAt + 6000))
  expect(screen.queryByText('Under a minute')).toBeNull()
  screen.getByText('Expired')
})
