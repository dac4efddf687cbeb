import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { takeTurns } from './take-turns.ts'

test('of several that speak at once the first is heard at once, the others as wholes in their turn', () => {
  const heard = new PassThrough({ encoding: 'utf8' })
  const [first, second, third] = ['first', 'second', 'third'].map(takeTurns(['first', 'second', 'third']))
  assert.ok(first && second && third)
  third.say(heard, 'c1 ')
  first.say(heard, 'a1 ')
  second.say(heard, 'b1 ')
  assert.equal(heard.read(), 'a1 ')
  third.say(heard, Buffer.from('c2 '))
  third.end()
  first.say(heard, 'a2 ')
  first.end()
  assert.equal(heard.read(), 'a2 b1 ')
  second.say(heard, 'b2 ')
  assert.equal(heard.read(), 'b2 ')
  second.end()
  assert.equal(heard.read(), 'c1 c2 ')
})
