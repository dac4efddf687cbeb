import { PdfArray, PdfDict, PdfStream } from '@libpdf/core'
import assert from 'node:assert/strict'
import test from 'node:test'
import {
  nameOf,
  numberOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  createObjectStore,
} from '../pdf/object-store.ts'
import { readFunction } from './evaluate-function.ts'

const store: ObjectStore = createObjectStore()
const UNIT = numbersOf([0, 1])
const round = (values: readonly number[] | undefined): number[] | undefined =>
  values?.map((value) => Math.round(value * 1000) / 1000)

const powerOf = (from: number[], to: number[], exponent: number): PdfDict =>
  PdfDict.of({ FunctionType: numberOf(2), Domain: UNIT, C0: numbersOf(from), C1: numbersOf(to), N: numberOf(exponent) })

function calculated(code: string, inputs: number, outputs: number): PdfStream {
  const intervals = (count: number): PdfObject => numbersOf(Array.from({ length: count }, () => [-1000, 1000]).flat())
  const entries = { FunctionType: numberOf(4), Domain: intervals(inputs), Range: intervals(outputs) }
  return PdfStream.fromDict(entries, Buffer.from(`{${code}}`, 'latin1'))
}

test('a function by a power goes from its first colour to its last', () => {
  const made = readFunction(store, powerOf([0, 1], [1, 0], 2))
  assert.deepEqual(round(made?.evaluate([0.5])), [0.25, 0.75])
  assert.deepEqual(round(made?.evaluate([2])), [1, 0])
})

test('a function that is stitched asks each part in its stretch, and tells where they meet', () => {
  const made = readFunction(
    store,
    PdfDict.of({
      FunctionType: numberOf(3),
      Domain: UNIT,
      Bounds: numbersOf([0.25]),
      Encode: numbersOf([0, 1, 1, 0]),
      Functions: new PdfArray([powerOf([0], [1], 1), powerOf([0], [0.5], 1)]),
    }),
  )
  assert.deepEqual(round(made?.evaluate([0.125])), [0.5])
  assert.deepEqual(round(made?.evaluate([0.25])), [0.5])
  assert.deepEqual(round(made?.evaluate([1])), [0])
  assert.deepEqual(made?.turns, [0.25])
})

test('a function by samples goes in straight lines between them, in each direction', () => {
  const entries = {
    FunctionType: numberOf(0),
    Domain: numbersOf([0, 1, 0, 1]),
    Range: UNIT,
    Size: numbersOf([2, 2]),
    BitsPerSample: numberOf(8),
  }
  const made = readFunction(store, PdfStream.fromDict(entries, Uint8Array.of(0, 255, 255, 255)))
  assert.deepEqual(round(made?.evaluate([0, 0])), [0])
  assert.deepEqual(round(made?.evaluate([0.5, 0])), [0.5])
  assert.deepEqual(round(made?.evaluate([0.5, 0.5])), [0.75])
})

test('several functions tell a number of a colour each', () => {
  const made = readFunction(store, new PdfArray([powerOf([0], [1], 1), powerOf([1], [0], 1)]))
  assert.deepEqual(round(made?.evaluate([0.25])), [0.25, 0.75])
})

for (const [code, inputs, outputs] of [
  ['2 mul 3 add', [2], [7]],
  ['2 copy add 3 1 roll sub', [5, 3], [8, 2]],
  ['exch 1 index div', [6, 3], [3, 2]],
  ['dup 0.5 gt {pop 1} {pop 0} ifelse', [0.6], [1]],
  ['dup 0.5 gt {pop 1} {pop 0} ifelse', [0.4], [0]],
  ['dup 3 ge exch 5 lt and {1} {0} ifelse', [4], [1]],
  ['dup 3 eq not exch 4 ne or {1} {0} ifelse', [3], [1]],
  ['90 mul sin', [1], [1]],
  ['1 atan', [1], [45]],
  ['3 exp', [2], [8]],
  ['-2.5 round exch truncate', [2.7], [-2, 2]],
  ['7 3 mod 7 3 idiv 3 2 bitshift', [9], [9, 1, 2, 12]],
  ['0 div', [1], [0]],
] as const)
  test(`the calculation ${code} of ${inputs.join(' and ')} is ${outputs.join(' and ')}`, () => {
    const made = readFunction(store, calculated(code, inputs.length, outputs.length))
    assert.deepEqual(round(made?.evaluate(inputs)), [...outputs])
  })

test('what is no function is told', () => {
  assert.equal(readFunction(store, nameOf('Identity')), undefined)
  assert.equal(readFunction(store, PdfDict.of({ FunctionType: numberOf(2), N: numberOf(1) })), undefined)
})
