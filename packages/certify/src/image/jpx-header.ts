/** What a JPEG 2000 image says of itself (ISO/IEC 15444-1 annexes A and I). */
export interface JpxHeader {
  width: number
  height: number
  components: number
  /** Bits of a component, the same for all; undefined where they differ, or count from below zero. */
  depth: number | undefined
  /** All components have a value for each pixel. */
  isWhole: boolean
  /** Numbers of spaces of colours that are named by number: 16 sRGB, 17 grey. */
  spaces: number[]
  /** It brings a palette. */
  hasPalette: boolean
  /** The end of the data is there. */
  hasEnd: boolean
}

const SIGNATURE = '\x00\x00\x00\x0cjP  '
const START_AND_SIZE = '\xff\x4f\xff\x51'
const END = '\xff\xd9'
/** Some programs fill up behind it. */
const TAIL_BYTES = 16
const BY_NUMBER = 1
const SIGNED = 0x80

/** @returns undefined for what is none, or has no picture. */
export function readJpxHeader(bytes: Uint8Array): JpxHeader | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = { spaces: [] as number[], hasPalette: false, stream: -1 }
  if (data.toString('latin1', 0, SIGNATURE.length) === SIGNATURE) readBoxes(data, 0, data.length, found)
  else found.stream = 0
  const size = found.stream
  if (size < 0 || data.toString('latin1', size, size + 4) !== START_AND_SIZE || size + 42 > data.length)
    return undefined
  const [right, lower, left, upper] = [8, 12, 16, 20].map((at) => data.readUInt32BE(size + at)) as [
    number,
    number,
    number,
    number,
  ]
  const components = data.readUInt16BE(size + 40)
  const each = data.subarray(size + 42, size + 42 + 3 * components)
  if (each.length < 3 * components || components === 0) return undefined
  const depths = new Set(each.filter((_, i) => i % 3 === 0))
  return {
    width: right - left,
    height: lower - upper,
    components,
    depth: depths.size === 1 && (each[0]! & SIGNED) === 0 ? each[0]! + 1 : undefined,
    isWhole: each.every((step, i) => i % 3 === 0 || step === 1),
    spaces: found.spaces,
    hasPalette: found.hasPalette,
    hasEnd: data.lastIndexOf(END, undefined, 'latin1') >= data.length - TAIL_BYTES,
  }
}

function readBoxes(
  data: Buffer,
  from: number,
  to: number,
  found: { spaces: number[]; hasPalette: boolean; stream: number },
): void {
  for (let at = from; at + 8 <= to;) {
    const isLong = data.readUInt32BE(at) === 1
    const head = isLong ? 16 : 8
    if (at + head > to) return
    const length = isLong ? Number(data.readBigUInt64BE(at + 8)) : data.readUInt32BE(at) || to - at
    const end = Math.min(to, at + length)
    const kind = data.toString('latin1', at + 4, at + 8)
    if (kind === 'jp2h') readBoxes(data, at + head, end, found)
    else if (kind === 'pclr') found.hasPalette = true
    else if (kind === 'colr' && data[at + head] === BY_NUMBER && at + head + 7 <= end)
      found.spaces.push(data.readUInt32BE(at + head + 3))
    else if (kind === 'jp2c' && found.stream < 0) found.stream = at + head
    if (length < head) return
    at = end
  }
}
