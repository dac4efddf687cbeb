import assert from 'node:assert/strict'
import test from 'node:test'
import { FAX } from '../testing/small-fax.ts'
import { type FaxKind, isSoundFax } from './read-fax.ts'

const packBits = (bits: string): Buffer =>
  Buffer.from((bits.replaceAll(' ', '').match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))

const END = '000000000001'
/** Eight white; four white and four black; eight black, which begin with no white. */
const [WHITE, HALVES, BLACK] = ['10011', '1011 011', '00110101 000101']

const isSound = (bits: string, kind: Partial<FaxKind> = {}): boolean =>
  isSoundFax(packBits(bits), { k: 0, columns: 8, rows: 3, isAligned: false, ...kind })

test('A fax is sound with all its rows, with marks at their ends or without', () => {
  assert.ok(isSound(`${WHITE} ${HALVES} ${BLACK}`))
  assert.ok(isSound(`${END} ${WHITE} ${END} ${HALVES} 0000 ${END} ${BLACK} ${END}`))
  assert.ok(isSound('10011000 10110110 0011010100010100', { isAligned: true }))
})

test('A fax is not sound with a row too few or too long, with some marks alone, or with marks and rows that begin with bytes', () => {
  assert.ok(!isSound(`${WHITE} ${HALVES}`))
  assert.ok(!isSound(`${WHITE} 1011 0011 ${BLACK}`))
  assert.ok(!isSound(`${END} ${WHITE} ${HALVES} ${END} ${BLACK}`))
  assert.ok(!isSound(`${END}0000 ${END}0000 ${END}`, { isAligned: true }))
})

test('Rows that tell how they differ from those above follow them', () => {
  // horizontal, then straight below, then a pass over both changes
  const rows = '001 1011 11 0001 01001 1'
  assert.ok(!isSound(rows, { k: -1, rows: 9 }))
  assert.ok(isSound('001 1011 011 1 1 0001 1', { k: -1 }))
  assert.ok(isSound(`${END} 1 ${HALVES} ${END} 0 1 1 ${END} 1 ${WHITE}`, { k: 1 }))
  assert.ok(!isSound(`${END} 1 ${HALVES} ${END} 0 0000011 1 1 1 ${END} 1 ${WHITE}`, { k: 1 }))
})

test('A fax of a scanner is sound, and is not with a bit that is another', () => {
  const kind = { k: -1, columns: 160, rows: 160, isAligned: false }
  assert.ok(isSoundFax(FAX, kind))
  const faults = Array.from(FAX, (_, at) => {
    const flipped = Buffer.from(FAX)
    flipped[at]! ^= 0x10
    return isSoundFax(flipped, kind)
  })
  // some bits decide only how long a run is, and a few are behind the last row
  assert.ok(faults.filter((isSoundStill) => !isSoundStill).length > FAX.length / 2)
})
