import { Disagreement } from '../errors.ts'

/** Something that readers read in ways of their own. */
export function refuseProgram(what: string): never {
  throw new Disagreement(`a font program with ${what}: readers show other glyphs, or those of another font`)
}

/** A list of data in the compact form of a font (Adobe technical note 5176, section 5). */
export interface CompactList {
  items: Buffer[]
  /** Where what follows begins. */
  end: number
}

export function readList(font: Buffer, at: number): CompactList {
  if (at < 0 || at + 2 > font.length) refuseProgram('a list outside of it')
  const count = font.readUInt16BE(at)
  if (count === 0) return { items: [], end: at + 2 }
  const size = font[at + 2] ?? 0
  const base = at + 2 + (count + 1) * size
  if (size < 1 || size > 4 || base >= font.length) refuseProgram('a list without places')
  const place = (item: number): number => base + font.readUIntBE(at + 3 + item * size, size)
  const items: Buffer[] = []
  let from = place(0)
  if (from !== base + 1) refuseProgram('a list that does not begin at its beginning')
  for (let item = 1; item <= count; item++) {
    const to = place(item)
    if (to < from || to > font.length) refuseProgram('a list whose places are none')
    items.push(font.subarray(from, to))
    from = to
  }
  return { items, end: from }
}

/** Numbers by operator, an escaped one behind 256 (section 4). */
export type CompactDictionary = ReadonlyMap<number, readonly number[]>

export const ESCAPED = 256
const ESCAPE = 12
const LAST_OPERATOR = 21
const REAL_NIBBLES = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'E', 'E-', '', '-']

export function readDictionary(data: Buffer): CompactDictionary {
  const entries = new Map<number, number[]>()
  let operands: number[] = []
  let at = 0
  const next = (): number => data[at++] ?? refuseProgram('a dictionary that ends early')
  while (at < data.length) {
    const byte = next()
    if (byte <= LAST_OPERATOR) {
      const operator = byte === ESCAPE ? ESCAPED + next() : byte
      // of two each reader takes another
      if (entries.has(operator)) refuseProgram('an entry that is given twice')
      entries.set(operator, operands)
      operands = []
    } else if (byte === 28) operands.push((((next() << 8) | next()) << 16) >> 16)
    else if (byte === 29) operands.push((next() << 24) | (next() << 16) | (next() << 8) | next())
    else if (byte === 30) operands.push(readReal(next))
    else if (byte >= 32 && byte <= 246) operands.push(byte - 139)
    else if (byte >= 247 && byte <= 250) operands.push((byte - 247) * 256 + next() + 108)
    else if (byte >= 251 && byte <= 254) operands.push(-(byte - 251) * 256 - next() - 108)
    else refuseProgram('an operator that there is not')
  }
  return entries
}

function readReal(next: () => number): number {
  let text = ''
  for (;;) {
    const byte = next()
    for (const nibble of [byte >> 4, byte & 15]) {
      if (nibble !== 15) text += REAL_NIBBLES[nibble]
      else if (/^-?(?:\d+\.?\d*|\.\d+)(?:E-?\d+)?$/.test(text)) return Number(text)
      else refuseProgram('a number that is none')
    }
  }
}
