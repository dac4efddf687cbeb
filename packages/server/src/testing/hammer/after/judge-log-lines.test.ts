import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trouble } from '../troubles/trouble.ts'
import { listUnexpected } from './judge-log-lines.ts'

const CRASH: Trouble = { kind: 'crash PostgreSQL', node: undefined, began: 1000, ended: 2000 }
const STOP: Trouble = { kind: 'stop a node', node: '1', began: 1000, ended: 2000 }
const say = (event: string, code: string) =>
  JSON.stringify({
    level: 'error',
    event,
    error: { name: 'AppError', code: 'internal', cause: { name: 'Error', code } },
  })
const OUTAGE = say('request failed', 'database_unavailable')

test('21.13 a line of a log is explained by a trouble of its kind, at its time, and by no other', () => {
  const judge = (text: string, at: number, ...troubles: Trouble[]) => listUnexpected([{ at, text }], '1', troubles)
  assert.deepEqual(judge(OUTAGE, 1500, CRASH), [])
  assert.deepEqual(judge(OUTAGE, 10_000, CRASH), [])
  assert.deepEqual(judge(OUTAGE, 1500, STOP), [])
  assert.deepEqual(judge(OUTAGE, 1500, { ...STOP, node: '2' }), [], 'it holds locks')
  assert.deepEqual(judge('The database cannot be reached', 1500, CRASH), [])
  for (const troubles of [
    [],
    [{ ...CRASH, began: 1600 }],
    [{ ...CRASH, kind: 'fill a disk' as const, node: '2' }],
    [{ ...CRASH, kind: 'S3 is slow' as const }],
  ])
    assert.deepEqual(judge(OUTAGE, 1500, ...troubles), [OUTAGE])
  assert.deepEqual(judge(OUTAGE, 60_000, CRASH), [OUTAGE])
  const counts = JSON.stringify({ level: 'warn', event: 'counts were wrong', tables: 'collections' })
  assert.deepEqual(judge(counts, 1500, CRASH), [counts])
  assert.deepEqual(judge('out of memory', 1500, CRASH), ['out of memory'])
})
