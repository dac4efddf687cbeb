import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeHistories } from '../testing/hammer/after/judge-histories.ts'
import { skipWithoutPrograms, startInstallation } from '../testing/hammer/instance/installation.ts'
import { runHammer, type HammerPlan, type HammerResult } from '../testing/hammer/run-hammer.ts'
import type { Recorder } from '../testing/hammer/traffic/recorder.ts'
import { missingTroubles, WEIGHTS } from '../testing/hammer/troubles/trouble.ts'

const PLAN: HammerPlan = {
  seed: 13,
  troubleMs: 15_000,
  calmMs: 2000,
  clients: 6,
  // A long stop alone takes longer than all of this.
  pace: { everyMs: 1500, atOnce: 2, weights: { ...WEIGHTS, 'stop a node for long': 0 } },
}
/** One that a busy machine never needs; on a quiet one of two cores all of it takes a minute. */
const PATIENCE_MS = 600_000

test('three nodes under the hammer (postgres)', { skip: skipWithoutPrograms, timeout: PATIENCE_MS }, async (t) => {
  for (const line of missingTroubles) t.diagnostic(`not on this machine: ${line}`)
  const installation = await startInstallation()
  t.after(() => installation.end())
  let result: HammerResult

  await t.test(
    '21.13 while nodes, PostgreSQL, S3, disks and clocks fail, every answer has its place in one order and nothing acknowledged is lost',
    async () => {
      result = await runHammer(installation, PLAN)
      assert.deepEqual(result.wrong, [])
      assert.ok(result.troubles.length >= 3, `${result.troubles.length} troubles`)
      assert.ok(result.histories.operations > 100, `${result.histories.operations} operations`)
      assert.ok(result.heads > 0)
    },
  )

  await t.test('21.14 one answer of such a run that had been another is found', () => {
    const { recorder } = result
    assert.deepEqual(judgeHistories(recorder).anomalies, [])
    for (const [name, alter] of Object.entries(ALTERATIONS)) {
      const altered = structuredClone({ collections: recorder.collections, comments: recorder.comments })
      assert.ok(alter(altered), `the run has an answer for: ${name}`)
      assert.equal(judgeHistories(altered).anomalies.length, 1, name)
    }
  })
})

/** Each changes one answer to what would be wrong. @returns whether there is one. */
const ALTERATIONS: Record<string, (histories: Pick<Recorder, 'collections' | 'comments'>) => boolean> = {
  'a decision whose words are lost': ({ collections }) =>
    alterLast(collections, ({ call }) => {
      if (call.kind !== 'see' || call.answer.told !== 'done') return false
      call.answer.shown.description = 'Words that nobody wrote'
      return true
    }),
  'a file that is lost': ({ collections }) =>
    alterLast(collections, ({ call }) => {
      if (call.kind !== 'see files' || call.answer.told !== 'done') return false
      return call.answer.shown.pop() !== undefined
    }),
  'a change that was acknowledged, and was refused': ({ collections }) =>
    alterLast(collections, ({ call }) => {
      if (call.kind !== 'upload' || call.answer.told !== 'done') return false
      call.answer = { told: 'refused', code: 'collection_not_open' }
      return true
    }),
  'a comment that is lost': ({ comments }) =>
    alterLast(comments, ({ call }) => {
      if (call.kind !== 'see comments' || call.answer.told !== 'done') return false
      return call.answer.shown.pop() !== undefined
    }),
}

/** Tries the operations of all objects from the last to the first, until one is altered. */
function alterLast<Operation>(histories: Map<number, Operation[]>, alter: (operation: Operation) => boolean): boolean {
  return [...histories.values()].some((history) => history.toReversed().some(alter))
}
