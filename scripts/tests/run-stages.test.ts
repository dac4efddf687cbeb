import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as next } from 'node:timers/promises'
import { runStages } from './run-stages.ts'
import type { Stage } from './stages.ts'

const makeStage = (name: string, usualMinutes: number, isAlone = false): Stage => ({
  name,
  folder: name,
  usualMinutes,
  needsBrowser: false,
  needsJudges: false,
  isAlone,
  plan: () => undefined,
})

/** Runs stages that each take as many turns of the event loop as minutes. @returns which ran at each turn */
async function watchStages(stages: Stage[]): Promise<string[]> {
  const running = new Set<string>()
  const seen: string[] = []
  await runStages(stages, async ({ name, usualMinutes }) => {
    running.add(name)
    seen.push([...running].join(' '))
    for (let turn = 0; turn < usualMinutes; turn++) await next()
    running.delete(name)
  })
  assert.equal(running.size, 0)
  return seen
}

test('two stages run at once, the longest first', async () => {
  const stages = [makeStage('proof', 1), makeStage('web', 3), makeStage('server', 8), makeStage('contract', 1)]
  assert.deepEqual(await watchStages(stages), ['server', 'server web', 'server proof', 'server contract'])
})

test('a stage that wants the machine for itself runs after all others', async () => {
  const stages = [makeStage('e2e', 2, true), makeStage('proof', 1), makeStage('demo', 1, true), makeStage('web', 3)]
  assert.deepEqual(await watchStages(stages), ['web', 'web proof', 'e2e', 'demo'])
})
