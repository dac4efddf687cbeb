import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEqualText } from './equal-text.ts'

test('two texts are the same only where they are letter for letter, and what was compared before does not count', () => {
  const long = 'é'.repeat(127) + 'x'.repeat(300)
  assert.ok(isEqualText(long, long))
  assert.ok(isEqualText('', ''))
  for (let at = 0; at < long.length; at += 1)
    assert.ok(!isEqualText(long, `${long.slice(0, at)}#${long.slice(at + 1)}`), `differs at ${at}`)
  for (const [one, other] of [
    [long, long.slice(0, -1)],
    ['ada', `ada${long}`],
    ['', 'a'],
    ['ada', 'ada\0'],
    ['ad', 'ada'],
  ] as const) {
    assert.ok(!isEqualText(one, other))
    assert.ok(!isEqualText(other, one))
    assert.ok(isEqualText(one, one))
  }
})
