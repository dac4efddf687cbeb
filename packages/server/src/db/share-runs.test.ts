import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPace } from './pace.ts'
import { shareRuns } from './share-runs.ts'

test('what comes while a run is under way shares the next, in its order', async () => {
  const runs: number[][] = []
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ask = shareRuns(async (items: number[]) => {
    runs.push(items)
    await gates[runs.length - 1]?.promise
    return items.length
  })
  const first = ask(1)
  // The first run has begun by now.
  await new Promise(setImmediate)
  const others = [ask(2), ask(3)]
  gates[0]!.resolve()
  assert.equal(await first, 1)
  await new Promise(setImmediate)
  const last = ask(4)
  gates[1]!.resolve()
  assert.deepEqual([await Promise.all(others), await last], [[2, 2], 1])
  assert.deepEqual(runs, [[1], [2, 3], [4]])
})

test('a run that fails fails for those who share it, and for nobody else', async () => {
  const ask = shareRuns(async (items: string[]) => {
    if (items.includes('bad')) throw new Error('no')
    return items
  })
  const together = await Promise.allSettled([ask('good'), ask('bad')])
  assert.deepEqual(
    together.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(await ask('later'), ['later'])
})

test('what comes before a run begins shares it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const runs: number[][] = []
  const ask = shareRuns(
    async (items: number[]) => void runs.push(items),
    () => promise,
  )
  const asked = [ask(1)]
  await new Promise(setImmediate)
  asked.push(ask(2))
  resolve()
  await Promise.all(asked)
  assert.deepEqual(runs, [[1, 2]])
})

test('a pace lets a few come at once, then one by one, and a few again after a rest', () => {
  let now = 50
  const takePlace = openPace(100, 3, () => now)
  const waits = () => Array.from({ length: 5 }, takePlace)
  assert.deepEqual(waits(), [0, 0, 0, 100, 200])
  now += 100_000
  assert.deepEqual(waits(), [0, 0, 0, 100, 200])
})
