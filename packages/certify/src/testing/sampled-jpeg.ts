import { CODES, segment, STEPS, word } from './jpeg-segments.ts'

/** Horizontal and vertical sampling factors of luminance, blue and red. */
export type Sampling = readonly [readonly [number, number], readonly [number, number], readonly [number, number]]

/** Luminance, blue and red of the two halves, red on the left and blue on the right. */
const HALVES = [
  [70, 98, 219],
  [45, 226, 112],
] as const
const UNITS = 4

/** A baseline JPEG of any sampling, four units wide and high, each unit of one colour (ITU-T T.81 annexes A, B and F). */
export function makeSampledJpeg(sampling: Sampling): Buffer {
  const across = 8 * UNITS * Math.max(...sampling.map(([factor]) => factor))
  const down = 8 * UNITS * Math.max(...sampling.map(([, factor]) => factor))
  const parts = sampling.flatMap(([horizontal, vertical], i) => [i + 1, (horizontal << 4) | vertical, 0])
  return Buffer.from([
    0xff,
    0xd8,
    ...STEPS,
    ...segment(0xc0, [8, ...word(down), ...word(across), 3, ...parts]),
    ...CODES,
    ...segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    ...writeUnits(sampling),
    0xff,
    0xd9,
  ])
}

function writeUnits(sampling: Sampling): number[] {
  let bits = ''
  const before = [0, 0, 0]
  for (let unit = 0; unit < UNITS * UNITS; unit++) {
    const colour = HALVES[unit % UNITS < UNITS / 2 ? 0 : 1]
    for (const [i, [horizontal, vertical]] of sampling.entries()) {
      for (let block = 0; block < horizontal * vertical; block++) {
        const value = colour[i]! - 128
        bits += writeDifference(value - before[i]!) + '0'
        before[i] = value
      }
    }
  }
  const bytes = (bits.padEnd(Math.ceil(bits.length / 8) * 8, '1').match(/.{8}/g) ?? []).map((byte) =>
    Number.parseInt(byte, 2),
  )
  return bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]))
}

function writeDifference(value: number): string {
  const length = value === 0 ? 0 : Math.abs(value).toString(2).length
  const code = length.toString(2).padStart(4, '0')
  if (length === 0) return code
  return code + (value > 0 ? value : value + 2 ** length - 1).toString(2).padStart(length, '0')
}
