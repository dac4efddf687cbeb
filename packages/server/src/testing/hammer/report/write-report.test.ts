import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HammerPlan, HammerResult } from '../run-hammer.ts'
import { makeRecorder } from '../traffic/recorder.ts'
import { writeReport } from './write-report.ts'

const PLAN: HammerPlan = { seed: 7, troubleMs: 90_000, calmMs: 0, clients: 3, pace: { everyMs: 1, atOnce: 1 } }

test('21.13 a report tells calls by their answers, troubles with their recovery, and all that is wrong', () => {
  const recorder = makeRecorder()
  const call = { kind: 'send', node: '1', began: 300, ended: 340, reply: '200', isDone: true, isWrite: true }
  recorder.counted.push(call, call, { ...call, reply: 'no answer', isDone: false })
  recorder.counted.push({ ...call, reply: '409 collection_already_sent', isDone: false })
  const result: HammerResult = {
    recorder,
    troubles: [{ kind: 'kill a machine', node: '1', began: 100, ended: 250 }],
    histories: { objects: 2, operations: 9, unanswered: 1, anomalies: [] },
    heads: 4,
    certified: 1,
    settledMs: 1500,
    wrong: [],
  }
  const right = writeReport(PLAN, result, new Date('2026-11-23T12:34:56Z'))
  assert.match(right, /^# Hammer of 2026-11-23 12:34 UTC\n\nEverything is as it must be\.\n/)
  assert.match(right, /\| seed +\| 7 +\|/)
  assert.match(right, /\| minutes of trouble +\| 1\.5 +\|/)
  assert.match(right, /\| send \| 2 +\| 1 +\| 1 +\| 2 200, 1 no answer, 1 409 collection_already_sent \|/)
  assert.match(right, /\| kill a machine \| 1 +\| 90 +\| 90 +\|/)
  assert.doesNotMatch(right, /## Wrong/)
  const wrong = writeReport(PLAN, { ...result, wrong: ['a file is lost'] }, new Date())
  assert.match(wrong, /\*\*1 things are wrong\*\*/)
  assert.match(wrong, /## Wrong\n\n```\na file is lost\n```\n$/)
})
