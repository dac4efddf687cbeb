import type { Picture } from './pictures.ts'

/** One step for all frequencies and colours: coarse enough for a small file, fine enough for the eye. */
const QUANTUM = 14
/** Order of the coefficients of a block, ITU-T T.81 figure A.6. */
const ZIGZAG = makeZigzag()
const COSINES = Array.from({ length: 64 }, (_, at) => {
  const [frequency, place] = [at >> 3, at & 7]
  return Math.cos(((2 * place + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5
})

/**
 * Codes of one length each, which ITU-T T.81 allows (annex C): the longer file is no matter here, and no table needs to
 * be copied. A value's code is its place in the list.
 */
const DC_SIZES = Array.from({ length: 12 }, (_, size) => size)
const DC_BITS = 4
const AC_PAIRS = [0x00, 0xf0, ...Array.from({ length: 160 }, (_, at) => ((at % 16) << 4) | (1 + Math.floor(at / 16)))]
const AC_BITS = 8
const AC_CODES = new Map(AC_PAIRS.map((pair, code) => [pair, code]))

/** Baseline JPEG without subsampling (ITU-T T.81). Width and height are multiples of 8. */
export function encodeJpeg({ width, height, rgb }: Picture): Buffer {
  const bits = makeBitWriter()
  const before = [0, 0, 0]
  for (let top = 0; top < height; top += 8)
    for (let left = 0; left < width; left += 8)
      for (let channel = 0; channel < 3; channel += 1) {
        const block = readBlock({ width, height, rgb }, left, top, channel)
        const coefficients = transform(block)
        writeBlock(bits, coefficients, before[channel] ?? 0)
        before[channel] = coefficients[0] ?? 0
      }
  const size = [height >> 8, height & 255, width >> 8, width & 255]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    makeSegment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 2, 0, 0, 1, 0, 1, 0, 0]),
    makeSegment(0xdb, [0, ...Array<number>(64).fill(QUANTUM)]),
    makeSegment(0xc0, [8, ...size, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
    makeSegment(0xc4, [0x00, ...countCodes(DC_BITS, DC_SIZES.length), ...DC_SIZES]),
    makeSegment(0xc4, [0x10, ...countCodes(AC_BITS, AC_PAIRS.length), ...AC_PAIRS]),
    makeSegment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    bits.finish(),
    Buffer.from([0xff, 0xd9]),
  ])
}

function makeSegment(marker: number, data: number[]): Buffer {
  const length = data.length + 2
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...data])
}

/** How many codes there are of each length from 1 to 16. */
function countCodes(length: number, count: number): number[] {
  return Array.from({ length: 16 }, (_, at) => (at + 1 === length ? count : 0))
}

/** One channel of 8 by 8 pixels, as luminance or colour difference (JFIF 1.02), around zero. */
function readBlock({ width, rgb }: Picture, left: number, top: number, channel: number): Float64Array {
  const block = new Float64Array(64)
  for (let at = 0; at < 64; at += 1) {
    const from = ((top + (at >> 3)) * width + left + (at & 7)) * 3
    const [r = 0, g = 0, b = 0] = rgb.subarray(from, from + 3)
    if (channel === 0) block[at] = 0.299 * r + 0.587 * g + 0.114 * b - 128
    else if (channel === 1) block[at] = -0.168_736 * r - 0.331_264 * g + 0.5 * b
    else block[at] = 0.5 * r - 0.418_688 * g - 0.081_312 * b
  }
  return block
}

/** Discrete cosine transform, by rows and then by columns, quantised, in zigzag order. */
function transform(block: Float64Array): number[] {
  const rows = new Float64Array(64)
  const both = new Float64Array(64)
  for (let y = 0; y < 8; y += 1)
    for (let u = 0; u < 8; u += 1)
      for (let x = 0; x < 8; x += 1) rows[y * 8 + u]! += block[y * 8 + x]! * COSINES[u * 8 + x]!
  for (let v = 0; v < 8; v += 1)
    for (let u = 0; u < 8; u += 1)
      for (let y = 0; y < 8; y += 1) both[v * 8 + u]! += rows[y * 8 + u]! * COSINES[v * 8 + y]!
  return ZIGZAG.map((at) => Math.round(both[at]! / QUANTUM))
}

type BitWriter = ReturnType<typeof makeBitWriter>

function writeBlock(bits: BitWriter, [dc = 0, ...ac]: number[], before: number): void {
  const difference = dc - before
  const size = countBits(difference)
  bits.write(size, DC_BITS)
  bits.write(toBits(difference, size), size)
  let zeros = 0
  const end = ac.findLastIndex((value) => value !== 0)
  for (const value of ac.slice(0, end + 1)) {
    if (value === 0) {
      zeros += 1
      continue
    }
    for (; zeros > 15; zeros -= 16) bits.write(AC_CODES.get(0xf0) ?? 0, AC_BITS)
    const length = countBits(value)
    bits.write(AC_CODES.get((zeros << 4) | length) ?? 0, AC_BITS)
    bits.write(toBits(value, length), length)
    zeros = 0
  }
  if (end < 62) bits.write(AC_CODES.get(0x00) ?? 0, AC_BITS)
}

const countBits = (value: number) => 32 - Math.clz32(Math.abs(value))
const toBits = (value: number, size: number) => (value < 0 ? value + (1 << size) - 1 : value)

function makeBitWriter() {
  const bytes: number[] = []
  let held = 0
  let count = 0
  const write = (value: number, size: number) => {
    held = (held << size) | value
    count += size
    while (count >= 8) {
      count -= 8
      const byte = (held >> count) & 255
      bytes.push(byte)
      // A byte of ones is no marker only when a zero follows it.
      if (byte === 255) bytes.push(0)
    }
    held &= (1 << count) - 1
  }
  const finish = () => {
    if (count > 0) write((1 << (8 - count)) - 1, 8 - count)
    return Buffer.from(bytes)
  }
  return { write, finish }
}

function makeZigzag(): number[] {
  const order: number[] = []
  for (let sum = 0; sum < 15; sum += 1)
    for (let step = 0; step <= sum; step += 1) {
      const [row, column] = sum % 2 === 0 ? [sum - step, step] : [step, sum - step]
      if (row < 8 && column < 8) order.push(row * 8 + column)
    }
  return order
}
