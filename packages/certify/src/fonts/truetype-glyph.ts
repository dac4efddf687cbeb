import { refuseProgram } from './compact-tables.ts'

/** A glyph of a TrueType font without the instructions that fit it to pixels. */
export interface PlainGlyph {
  data: Buffer
  /** Others that it is made of. */
  parts: readonly number[]
}

const HEAD_BYTES = 10
const REPEATED = 8
const SHORT_X = 2
const SHORT_Y = 4
const SAME_X = 16
const SAME_Y = 32
const WORDS = 1
const BY_PLACE = 2
const SCALED = 8
const MORE_PARTS = 32
const UNEVEN = 64
const TURNED = 128
const INSTRUCTED = 256
/** Moved by as much as it is scaled. */
const MOVED_SCALED = 0x800

/** @throws Refusal `unreadable` where its data are not what they say (OpenType, glyf table). */
export function readGlyph(data: Buffer): PlainGlyph {
  if (data.length < HEAD_BYTES) refuseProgram('a glyph that is cut off')
  const contours = data.readInt16BE(0)
  return contours >= 0 ? readSimple(data, contours) : readParts(data)
}

const byteAt = (data: Buffer, at: number): number => data[at] ?? refuseProgram('a glyph that is cut off')
const wordAt = (data: Buffer, at: number): number => (byteAt(data, at) << 8) | byteAt(data, at + 1)

function readSimple(data: Buffer, contours: number): PlainGlyph {
  if (contours === 0) return { data: Buffer.alloc(0), parts: [] }
  let points = 0
  let at = HEAD_BYTES
  for (let i = 0; i < contours; i++, at += 2) {
    const end = wordAt(data, at)
    if (end < points) refuseProgram('contours that are not in order')
    points = end + 1
  }
  const instructions = at
  const flags = at + 2 + wordAt(data, at)
  at = flags
  let length = 0
  for (let point = 0; point < points;) {
    const flag = byteAt(data, at++)
    const times = (flag & REPEATED) === 0 ? 1 : 1 + byteAt(data, at++)
    length += times * (measure(flag, SHORT_X, SAME_X) + measure(flag, SHORT_Y, SAME_Y))
    point += times
    if (point > points) refuseProgram('more points than there are')
  }
  const end = at + length
  if (end > data.length) refuseProgram('a glyph that is cut off')
  return {
    data: Buffer.concat([data.subarray(0, instructions), Buffer.alloc(2), data.subarray(flags, end)]),
    parts: [],
  }
}

const measure = (flag: number, short: number, same: number): number => {
  if ((flag & short) !== 0) return 1
  return (flag & same) === 0 ? 2 : 0
}

function readParts(data: Buffer): PlainGlyph {
  const copy = Buffer.from(data)
  const parts: number[] = []
  let at = HEAD_BYTES
  for (let flags = MORE_PARTS; (flags & MORE_PARTS) !== 0;) {
    flags = wordAt(data, at)
    if ((flags & BY_PLACE) === 0 || (flags & MOVED_SCALED) !== 0)
      refuseProgram('parts of letters that are placed in ways of their own')
    parts.push(wordAt(data, at + 2))
    copy.writeUInt16BE(flags & ~INSTRUCTED, at)
    at += (flags & WORDS) === 0 ? 6 : 8
    at += (flags & SCALED) !== 0 ? 2 : (flags & UNEVEN) !== 0 ? 4 : (flags & TURNED) !== 0 ? 8 : 0
  }
  if (at > data.length) refuseProgram('a glyph that is cut off')
  return { data: copy.subarray(0, at), parts }
}
