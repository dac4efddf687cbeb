import { expect, test } from 'vitest'
import { timeAgo } from './time-ago.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const minutesBefore = (minutes: number) => timeAgo(new Date(NOW.getTime() - minutes * 60_000), NOW)

test('2.31 9.14 minutes are told under 60 minutes, hours under 24 hours, else days', () => {
  expect(minutesBefore(0)).toBe('0 minute(s) ago')
  expect(minutesBefore(59.9)).toBe('59 minute(s) ago')
  expect(minutesBefore(60)).toBe('1 hour(s) ago')
  expect(minutesBefore(24 * 60 - 1)).toBe('23 hour(s) ago')
  expect(minutesBefore(24 * 60)).toBe('1 day(s) ago')
  expect(minutesBefore(10 * 24 * 60)).toBe('10 day(s) ago')
})

test('a clock that runs ahead of the server never tells a negative time', () => {
  expect(minutesBefore(-5)).toBe('0 minute(s) ago')
})
