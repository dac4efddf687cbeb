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
