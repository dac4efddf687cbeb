import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remember } from './remember.ts'

test('what was worked out last is kept, and no more than a little', async () => {
  const find = remember<number>()
  const made: string[] = []
  const ask = (from: string) =>
    find(from, async () => {
      made.push(from)
      return from.length
    })
  for (const from of ['a', 'bb', 'a', 'bb']) assert.equal(await ask(from), from.length)
  assert.deepEqual(made, ['a', 'bb'])
  for (let n = 0; n < 31; n++) await ask(`other ${n}`)
  await ask('bb')
  assert.equal(made.length, 33)
  await ask('a')
  assert.equal(made.at(-1), 'a')
})

test('what failed is asked again', async () => {
  const find = remember<string>()
  await assert.rejects(
    find('a', () => Promise.reject(new Error('no'))),
    { message: 'no' },
  )
  assert.equal(await find('a', async () => 'yes'), 'yes')
})
