import { expect, test } from 'vitest'
import { readCount } from './read-count.ts'

test('what was counted stays known when counting it again fails', () => {
  expect(readCount({ data: 3, isError: true })).toBe(3)
  expect(readCount({ data: undefined, isError: true })).toBeNull()
  expect(readCount({ data: undefined, isError: false })).toBeUndefined()
})
