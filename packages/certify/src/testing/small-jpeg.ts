import { CODES, segment, STEPS, word } from './jpeg-segments.ts'

const BLOCKS = 8
const SIDE = 8 * BLOCKS

/** @param transform Of its colours: 0 none, 1 luminance and two differences, 2 the same and black. */
export const adobeSegment = (transform: number): number[] =>
  segment(0xee, [...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform])

export interface SmallJpeg {
  /** Of its components; counted from 1 when absent. */
  names?: readonly number[]
  /** The second byte of the frame's marker, baseline when absent. */
  frame?: number
  /** Segments behind the first mark. */
  head?: readonly number[]
  /** Blocks of each interval of decoding; all of them when absent. */
  interval?: number
  /** Lists of components by their places; one scan of all of them when absent. */
  scans?: readonly (readonly number[])[]
  end?: readonly number[]
}

/** A JPEG of eight blocks across and down, each of one colour: the upper half dark on the left, the lower dark on the right (ITU-T T.81). */
export function makeSmallJpeg(components: number, options: SmallJpeg = {}): Buffer {
  const { frame = 0xc0, head = [], interval = 0, end = [0xff, 0xd9] } = options
  const names = options.names ?? Array.from({ length: components }, (_, i) => i + 1)
  const places = names.map((_, i) => i)
  return Buffer.from([
    0xff,
    0xd8,
    ...head,
    ...STEPS,
    ...segment(frame, [8, ...word(SIDE), ...word(SIDE), components, ...names.flatMap((name) => [name, 0x11, 0])]),
    ...CODES,
    ...(interval > 0 ? segment(0xdd, word(interval)) : []),
    ...(options.scans ?? [places]).flatMap((scan) => writeScan(scan, names, frame, interval)),
    ...end,
  ])
}

function writeScan(scan: readonly number[], names: readonly number[], frame: number, interval: number): number[] {
  const isProgressive = frame === 0xc2
  const bytes = segment(0xda, [scan.length, ...scan.flatMap((i) => [names[i]!, 0]), 0, isProgressive ? 0 : 63, 0])
  const before = names.map(() => 0)
  let bits = ''
  const finish = (): void => {
    const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1')
    for (const byte of (padded.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
      bytes.push(...(byte === 0xff ? [byte, 0] : [byte]))
    bits = ''
  }
  for (let block = 0; block < BLOCKS * BLOCKS; block++) {
    if (interval > 0 && block > 0 && block % interval === 0) {
      finish()
      bytes.push(0xff, 0xd0 + ((block / interval - 1) % 8))
      before.fill(0)
    }
    const isDark = block % BLOCKS < BLOCKS / 2 === block < (BLOCKS * BLOCKS) / 2
    for (const i of scan) {
      const value = (i === 0 ? (isDark ? 30 : 220) : 128) - 128
      bits += writeDifference(value - before[i]!) + (isProgressive ? '' : '0')
      before[i] = value
    }
  }
  finish()
  return bytes
}

function writeDifference(value: number): string {
  const length = value === 0 ? 0 : Math.abs(value).toString(2).length
  const code = length.toString(2).padStart(4, '0')
  if (length === 0) return code
  return code + (value > 0 ? value : value + 2 ** length - 1).toString(2).padStart(length, '0')
}
