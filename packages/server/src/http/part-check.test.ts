import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { openLogger } from '../logger.ts'
import { openPartCheck } from './part-check.ts'

/** A part whose checks end when the test says so. */
function watchPart(times: { freshMs: number; timeoutMs: number }) {
  const lines: string[] = []
  const checks: PromiseWithResolvers<void>[] = []
  const check = () => {
    const begun = Promise.withResolvers<void>()
    checks.push(begun)
    return begun.promise
  }
  const logger = openLogger('info', (line) => lines.push(line))
  const isWell = openPartCheck('storage', check, logger, times)
  const told = () =>
    lines
      .map((line) => JSON.parse(line) as { level: string; event: string; part: string })
      .map(({ level, event, part }) => [level, event, part])
  return { isWell, checks, told }
}

test('17.30 however many ask at once, a part is looked at once, and the answer holds for a moment', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { isWell, checks } = watchPart({ freshMs: 50, timeoutMs: 1000 })
  const asked = Promise.all(Array.from({ length: 100 }, isWell))
  checks[0]?.resolve()
  assert.ok((await asked).every(Boolean))
  assert.ok(await isWell())
  assert.equal(checks.length, 1)
  t.mock.timers.tick(50)
  const later = isWell()
  assert.equal(checks.length, 2)
  checks[1]?.reject(new Error('gone'))
  assert.equal(await later, false)
})

test('17.30 a look at a part that hangs is waited for, and no other is begun beside it', async () => {
  const { isWell, checks } = watchPart({ freshMs: 1, timeoutMs: 20 })
  for (let times = 0; times < 3; times++) {
    assert.equal(await isWell(), false)
    await pause(10)
  }
  assert.equal(checks.length, 1)
  checks[0]?.resolve()
  await pause(10)
  const later = isWell()
  await pause(0)
  assert.equal(checks.length, 2)
  checks[1]?.resolve()
  assert.equal(await later, true)
})

test('17.30 the log is told when a part goes away and when it is back, and nothing in between', async () => {
  const { isWell, checks, told } = watchPart({ freshMs: 0, timeoutMs: 1000 })
  for (const isThere of [true, false, false, false, true, true, false]) {
    const asked = isWell()
    await pause(0)
    if (isThere) checks.at(-1)?.resolve()
    else checks.at(-1)?.reject(new Error('gone'))
    assert.equal(await asked, isThere)
    await pause(5)
  }
  assert.deepEqual(told(), [
    ['error', 'not ready', 'storage'],
    ['info', 'ready again', 'storage'],
    ['error', 'not ready', 'storage'],
  ])
})
