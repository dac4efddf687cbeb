import { expect, test } from 'vitest'
import { toLocalValue, toUtc } from './expiry.ts'

test('an expiry is sent in UTC as the person meant it in their own zone', () => {
  expect(toUtc('2027-01-31T18:00')).toBe(new Date(2027, 0, 31, 18, 0).toISOString())
  expect(toUtc('2027-07-31T18:00')).toBe(new Date(2027, 6, 31, 18, 0).toISOString())
})

test.each(['', '2027-01-31', '18:00', 'soon'])('%j is no expiry', (text) => {
  expect(toUtc(text)).toBeUndefined()
})

test('a point in time and its field value are the same minute', () => {
  const at = new Date(2027, 2, 28, 2, 30)
  expect(toUtc(toLocalValue(at))).toBe(at.toISOString())
})
