import { beforeAll, expect, test, vi } from 'vitest'
import { addYears, toLocalValue, toUtc } from './local-time.ts'

beforeAll(() => {
  vi.stubEnv('TZ', 'America/New_York')
  return () => vi.unstubAllEnvs()
})

test('an expiry is sent in UTC as the person meant it in their own zone, in winter and in summer', () => {
  expect(toUtc('2027-01-31T18:00')).toBe('2027-01-31T23:00:00.000Z')
  expect(toUtc('2027-07-31T18:00')).toBe('2027-07-31T22:00:00.000Z')
})

test.each(['', '2027-01-31', '18:00', 'soon'])('%j is no expiry', (text) => {
  expect(toUtc(text)).toBeUndefined()
})

test('a point in time and its field value are the same minute', () => {
  expect(toLocalValue(new Date('2027-07-31T22:00:00.000Z'))).toBe('2027-07-31T18:00')
})

test('a term ends at the same time of day in the person’s own zone, also across summer time', () => {
  expect(addYears(new Date('2027-07-31T22:00:00.000Z'), 5).toISOString()).toBe('2032-07-31T22:00:00.000Z')
  expect(toLocalValue(addYears(new Date('2028-02-29T17:00:00.000Z'), 1))).toBe('2029-03-01T12:00')
})
