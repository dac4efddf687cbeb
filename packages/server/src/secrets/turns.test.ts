import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../errors.ts'
import { openTurns } from './turns.ts'

/** Waits as somebody; what became of it is written down in the order in which it happened. */
function makeLine(most: number) {
  const turns = openTurns(most)
  const happened: string[] = []
  const wait = (askedBy: string) =>
    turns.wait(askedBy).then(
      () => void happened.push(askedBy),
      (error: unknown) => {
        assert.ok(error instanceof AppError && error.code === 'busy')
        happened.push(`${askedBy} sent away`)
      },
    )
  const next = async () => {
    const isLet = turns.next()
    await new Promise(setImmediate)
    return isLet
  }
  return { happened, wait, next }
}

test('9.34 askers take turns, whoever has however many waiting', async () => {
  const { happened, wait, next } = makeLine(10)
  for (let i = 0; i < 5; i += 1) void wait('a')
  void wait('b')
  void wait('c')
  while (await next());
  assert.deepEqual(happened, ['a', 'b', 'c', 'a', 'a', 'a', 'a'])
})

test('where too many wait, whoever has the most gives way to others, and never others to them', async () => {
  const { happened, wait, next } = makeLine(4)
  for (let i = 0; i < 4; i += 1) void wait('a')
  void wait('b')
  void wait('a')
  await new Promise(setImmediate)
  assert.deepEqual(happened, ['a sent away', 'a sent away'])
  while (await next());
  assert.deepEqual(happened.slice(2), ['a', 'b', 'a', 'a'])
})

test('who gives way is the last who came of them, and whoever has as many waiting makes nobody go', async () => {
  const turns = openTurns(4)
  const happened: string[] = []
  const wait = (askedBy: string, name: string) =>
    turns.wait(askedBy).then(
      () => void happened.push(name),
      () => void happened.push(`not ${name}`),
    )
  const settle = () => new Promise(setImmediate)
  for (const name of ['a1', 'a2', 'a3']) void wait('a', name)
  for (const name of ['b1', 'b2', 'b3']) void wait('b', name)
  await settle()
  // The second of b's takes the place of a's last; the third would only change who has more.
  assert.deepEqual(happened, ['not a3', 'not b3'])
  while (turns.next()) await settle()
  assert.deepEqual(happened.slice(2), ['a1', 'b1', 'a2', 'b2'])
  // All places are free again.
  happened.length = 0
  for (const name of ['c1', 'c2', 'c3', 'c4', 'c5']) void wait('c', name)
  await settle()
  assert.deepEqual(happened, ['not c5'])
})
