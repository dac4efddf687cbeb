import { expect, test } from 'vitest'
import { formatRemaining } from './remaining-time.tsx'

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
