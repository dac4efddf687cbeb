import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Counted } from '../traffic/recorder.ts'
import { measureRecoveries } from './recover.ts'

const call = (node: string, began: number, kind = 'see', isDone = true): Counted => ({
  kind,
  node,
  began,
  ended: began + 10,
  reply: isDone ? '200' : 'no answer',
  isDone,
  isWrite: false,
})

test('21.13 a recovery lasts from the end of a trouble until what it struck did something again', () => {
  const counted = [
    call('1', 50),
    call('2', 120),
    call('1', 130, 'see', false),
    call('1', 200),
    call('2', 400, 'upload'),
  ]
  const trouble = { node: undefined, began: 0, ended: 100 }
  const measure = (one: Parameters<typeof measureRecoveries>[0][number]) =>
    measureRecoveries([one], counted)[0]?.longest
  assert.equal(measure({ ...trouble, kind: 'kill a machine', node: '1' }), 110)
  assert.equal(measure({ ...trouble, kind: 'crash PostgreSQL' }), 110)
  assert.equal(measure({ ...trouble, kind: 'S3 is busy' }), 310)
  assert.equal(measure({ ...trouble, kind: 'S3 is busy', ended: 500 }), undefined)
  const both = [100, 350].map((ended) => ({ ...trouble, kind: 'kill a machine' as const, node: '2', ended }))
  assert.deepEqual(measureRecoveries(both, counted), [{ kind: 'kill a machine', count: 2, median: 60, longest: 60 }])
})
