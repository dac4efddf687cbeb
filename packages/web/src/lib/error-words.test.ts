import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { wordsOf } from './error-words.ts'

const LIMITED = 'Too many attempts. Please wait and try again.'

test.each([
  [undefined, LIMITED],
  [0, `${LIMITED} Try again in 1 second.`],
  [45, `${LIMITED} Try again in 45 seconds.`],
  [60, `${LIMITED} Try again in 1 minute.`],
  [61, `${LIMITED} Try again in 2 minutes.`],
  [840, `${LIMITED} Try again in 14 minutes.`],
  [7201, `${LIMITED} Try again in 3 hours.`],
])('a refusal after too many attempts with Retry-After %s says how long to wait', (seconds, words) => {
  expect(wordsOf(new ApiError(429, { code: 'rate_limited', detail: LIMITED }, seconds), 'Failed')).toBe(words)
})

test('how long to wait is said of too many attempts alone', () => {
  const busy = new ApiError(429, { code: 'busy', detail: 'Some words.' }, 5)
  expect(wordsOf(busy, 'Failed')).not.toMatch(/Try again in/)
})
