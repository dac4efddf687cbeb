import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRandom } from '../seeded-random.ts'
import { findOrder } from './find-order.ts'
import type { Model, Operation } from './history.ts'
import { hasOrder } from './permute.ts'
import { alterOne, recordRandom, register, type RegisterCall } from './random-histories.ts'

type Row = [call: RegisterCall, began: number, ended?: number]
const write = (value: number): RegisterCall => ({ kind: 'write', value })
const read = (value: number): RegisterCall => ({ kind: 'read', value })
const swap = (from: number, to: number, won: boolean): RegisterCall => ({ kind: 'swap', from, to, won })

function judge(...rows: Row[]) {
  const operations = rows.map(([call, began, ended]) => ({ call, began, ended }))
  const { kind } = findOrder(register, operations)
  assert.equal(kind === 'linearizable', hasOrder(register, operations), 'every order tried says the same')
  return kind
}

const GOOD: Record<string, Row[]> = {
  'nothing at all': [],
  'one after the other': [
    [write(1), 0, 1],
    [read(1), 2, 3],
  ],
  'a read beside a write, that saw it': [
    [write(1), 0, 9],
    [read(1), 1, 2],
  ],
  'a read beside a write, that did not see it': [
    [write(1), 0, 9],
    [read(0), 1, 2],
  ],
  'two reads beside a write, of which the later saw it': [
    [write(1), 0, 9],
    [read(0), 1, 2],
    [read(1), 3, 4],
  ],
  'an answer in the moment of a call': [
    [write(1), 0, 1],
    [read(0), 1, 2],
  ],
  'a write without an answer that never took effect': [
    [write(1), 0],
    [read(0), 5, 6],
  ],
  'a write without an answer that took effect late': [
    [write(1), 0],
    [read(0), 5, 6],
    [read(1), 7, 8],
  ],
  'two that race, of whom one wins': [
    [swap(0, 1, true), 0, 5],
    [swap(0, 2, false), 0, 5],
    [read(1), 6, 7],
  ],
}
for (const [name, rows] of Object.entries(GOOD))
  test(`21.18 linearizable is ${name}`, () => assert.equal(judge(...rows), 'linearizable'))

const BAD: Record<string, Row[]> = {
  'a stale read': [
    [write(1), 0, 1],
    [read(0), 2, 3],
  ],
  'a lost write': [
    [write(1), 0, 1],
    [write(2), 2, 3],
    [read(1), 4, 5],
  ],
  'a value that nobody wrote': [[read(7), 0, 1]],
  'two reads beside a write, of which the earlier saw it and the later did not': [
    [write(1), 0, 9],
    [read(1), 1, 2],
    [read(0), 3, 4],
  ],
  'two that race and both win': [
    [swap(0, 1, true), 0, 5],
    [swap(0, 2, true), 0, 5],
  ],
  'a race that nobody wins': [
    [swap(0, 1, false), 0, 5],
    [swap(0, 2, false), 0, 5],
  ],
  'a write without an answer that is seen, and then not': [
    [write(1), 0],
    [read(1), 5, 6],
    [read(0), 7, 8],
  ],
  'a write without an answer that is seen before it was asked for': [
    [read(1), 0, 1],
    [write(1), 5],
  ],
}
for (const [name, rows] of Object.entries(BAD))
  test(`21.18 not linearizable is ${name}`, () => assert.equal(judge(...rows), 'not linearizable'))

test('21.18 histories of a real order pass, and altered ones get the verdict that trying every order gives', () => {
  const random = makeRandom(20_261_123)
  let found = 0
  for (let round = 0; round < 3000; round++) {
    const history = recordRandom(random, 2 + random.below(5))
    assert.equal(findOrder(register, history).kind, 'linearizable', JSON.stringify(history))
    const altered = alterOne(random, history)
    const isLinearizable = hasOrder(register, altered)
    assert.equal(findOrder(register, altered).kind === 'linearizable', isLinearizable, JSON.stringify(altered))
    if (!isLinearizable) found += 1
  }
  assert.ok(found > 700, `${found} of 3000 altered histories were refused`)
})

test('21.18 an order that is found explains every answer, and keeps the order of time', () => {
  const random = makeRandom(7)
  for (let round = 0; round < 300; round++) {
    const history = recordRandom(random, 40)
    const verdict = findOrder(register, history)
    assert.ok(verdict.kind === 'linearizable')
    let state = register.initial
    for (const [index, { call, began }] of verdict.order.entries()) {
      const next = register.step(state, call)
      assert.ok(next !== undefined)
      state = next
      const later = verdict.order.slice(index + 1)
      assert.ok(!later.some(({ ended }) => ended !== undefined && ended < began))
    }
    const answered = history.filter(({ ended }) => ended !== undefined)
    assert.ok(answered.every((operation) => verdict.order.includes(operation)))
  }
})

test('21.18 what fits nowhere is named with the longest order that explains all before it', () => {
  const operations: Operation<RegisterCall>[] = [
    { call: write(1), began: 0, ended: 1 },
    { call: read(1), began: 2, ended: 3 },
    { call: read(0), began: 4, ended: 5 },
    { call: write(0), began: 6, ended: 7 },
  ]
  const verdict = findOrder(register, operations)
  assert.deepEqual(verdict, { kind: 'not linearizable', furthest: operations.slice(0, 2), stuck: operations[2] })
})

test('21.18 a search that takes too long is said to be undecided, and never that all is well', () => {
  const counter: Model<number, number> = { initial: 0, step: (state, add) => state + add, keyOf: String }
  const wide = Array.from({ length: 40 }, (_, n) => ({ call: 2 ** n, began: 0, ended: 1 }))
  const never: Model<number, number> = {
    ...counter,
    step: (state, add) => (add === 0 ? undefined : counter.step(state, add)),
  }
  const verdict = findOrder(never, [...wide, { call: 0, began: 0, ended: 1 }], 50_000)
  assert.equal(verdict.kind, 'undecided')
})
