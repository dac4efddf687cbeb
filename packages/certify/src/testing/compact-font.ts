import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** A serif font in the compact form of Type 1, without an encoding of its own (Adobe technical note 5176). */
export const COMPACT_FONT: Buffer = readFileSync(
  createRequire(import.meta.url).resolve('pdfjs-dist/standard_fonts/FoxitSerif.pfb'),
)

/** The first names of glyphs that all such fonts know are those of ASCII from the space on. */
const FIRST_CODE = 31
const LAST_SHARED = 95
/** Glyphs that get a code. */
const CODED = 120

/** The same font with an encoding of its own, in which each capital has the code of another, so many further. */
export function turnCapitals(by: number): Buffer {
  const top = findFirstItem(COMPACT_FONT, findFirstItem(COMPACT_FONT, COMPACT_FONT[2]!).listEnd).start
  const names = listNames(COMPACT_FONT.readInt16BE(top + findOperand(top, 15)))
  const encoding = Buffer.alloc(2 + CODED)
  encoding[1] = CODED
  for (let glyph = 1; glyph <= CODED; glyph++) {
    const name = names[glyph]!
    const code = name <= LAST_SHARED ? FIRST_CODE + name : 0
    encoding[1 + glyph] = code >= 65 && code <= 90 ? 65 + ((code - 65 + by) % 26) : code
  }
  const turned = Buffer.concat([COMPACT_FONT, encoding])
  // in the place of its version and its notice: five bytes of a number, and the operator for encodings
  turned[top] = 29
  turned.writeInt32BE(COMPACT_FONT.length, top + 1)
  turned[top + 5] = 16
  return turned
}

/** Of a list of items with their offsets. */
function findFirstItem(font: Buffer, list: number): { start: number; listEnd: number } {
  const count = font.readUInt16BE(list)
  const size = font[list + 2]!
  const offset = (item: number): number => font.readUIntBE(list + 3 + item * size, size)
  const base = list + 2 + (count + 1) * size
  return { start: base + offset(0), listEnd: base + offset(count) }
}

/** Where the operand of an operator stands, which is written in three bytes, 28 the first. */
function findOperand(top: number, operator: number): number {
  const at = COMPACT_FONT.subarray(top).findIndex((byte, i, all) => byte === 28 && all[i + 3] === operator)
  if (at < 0) throw new Error(`operator ${operator} is missing`)
  return at + 1
}

/** The numbers of the glyphs' names: runs of a first name and how many follow. */
function listNames(list: number): number[] {
  const names = [0]
  for (let at = list + 1; names.length <= CODED; at += 3)
    for (let i = 0; i <= COMPACT_FONT[at + 2]!; i++) names.push(COMPACT_FONT.readUInt16BE(at) + i)
  return names
}
