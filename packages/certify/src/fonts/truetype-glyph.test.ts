import assert from 'node:assert/strict'
import test from 'node:test'
import { Refusal } from '../errors.ts'
import { readGlyph } from './truetype-glyph.ts'

const words = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(2 * values.length)
  for (const [i, value] of values.entries()) buffer.writeUInt16BE(value & 0xffff, 2 * i)
  return buffer
}

/** A box, and what fits it to pixels. */
const makeBox = (instructions: readonly number[]): Buffer =>
  Buffer.concat([
    words(1, 0, 0, 900, 900, 3, instructions.length),
    Buffer.from(instructions),
    Buffer.from([1, 1, 1, 1]),
    words(0, 0, 900, 0, 0, 900, 0, -900),
  ])

/** Two points to the foot of the letter: at small sizes PDFium showed nothing of it. */
const FLATTEN = [0x00, 0xb0, 1, 0xb8, 0, 0, 0x48, 0xb0, 2, 0xb8, 0, 0, 0x48]

test('instructions that move points of a letter are left out, its outline stays', () => {
  assert.deepEqual(readGlyph(makeBox(FLATTEN)).data, makeBox([]))
  assert.deepEqual(readGlyph(Buffer.concat([makeBox(FLATTEN), Buffer.alloc(3)])).data, makeBox([]))
})

test('instructions of a letter of parts are left out, its parts stay', () => {
  const parts = words(-1, 0, 0, 900, 900, 0x0123, 7, 0, 0, 0x0103, 8, 10, 20)
  const plain = words(-1, 0, 0, 900, 900, 0x0023, 7, 0, 0, 0x0003, 8, 10, 20)
  assert.deepEqual(readGlyph(Buffer.concat([parts, words(2, 0)])), { data: plain, parts: [7, 8] })
})

test('a glyph whose data end too early, whose contours are not in order, or whose parts are placed by points is refused', () => {
  const box = makeBox([])
  const swapped = Buffer.concat([words(2, 0, 0, 900, 900, 3, 1, 0), box.subarray(14)])
  for (const glyph of [box.subarray(0, -1), swapped, words(-1, 0, 0, 900, 900, 0x0001, 7, 0, 0)])
    assert.throws(() => readGlyph(glyph), Refusal)
})
