import { hasAllTiles } from './jpx-tiles.ts'

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
  /** Its head says of size, depth and components what its data say, and of places in its palette nothing odd. */
  isSound: boolean
  /** All tiles and the end of the data are there. */
  hasEnd: boolean
}

/** What stands in the boxes around the data. */
interface Boxes {
  spaces: number[]
  /** Of the palette, how many colours. */
  palette: number | undefined
  /** Height, width, components and depth, and the map of components. */
  head: Buffer | undefined
  map: string | undefined
  stream: number
}

const SIGNATURE = '\x00\x00\x00\x0cjP  '
const START_AND_SIZE = '\xff\x4f\xff\x51'
const END = '\xff\xd9'
/** Some programs fill up behind it. */
const TAIL_BYTES = 16
const BY_NUMBER = 1
/** Of a head: components that are of several depths. */
const SEVERAL_DEPTHS = 255
const HEAD_BYTES = 14
/** One component that is looked up in the palette for one column of it after the other. */
const PLAIN_MAPS = new Set(['00000100', '000001000000010100000102'])
const SIGNED = 0x80

/** @returns undefined for what is none, or has no picture. */
export function readJpxHeader(bytes: Uint8Array): JpxHeader | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: Boxes = { spaces: [], palette: undefined, head: undefined, map: undefined, stream: -1 }
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
  const [width, height] = [right - left, lower - upper]
  const depths = new Set(each.filter((_, i) => i % 3 === 0))
  return {
    width,
    height,
    components,
    depth: depths.size === 1 && (each[0]! & SIGNED) === 0 ? each[0]! + 1 : undefined,
    isWhole: each.every((step, i) => i % 3 === 0 || step === 1),
    spaces: found.spaces,
    hasPalette: found.palette !== undefined,
    isSound:
      isSameHead(found.head, { width, height, components, depth: each[0]! }) && isSoundMap(found, components, each[0]!),
    hasEnd: data.lastIndexOf(END, undefined, 'latin1') >= data.length - TAIL_BYTES && hasAllTiles(data, size),
  }
}

function isSameHead(
  head: Buffer | undefined,
  own: { width: number; height: number; components: number; depth: number },
): boolean {
  if (head === undefined) return true
  if (head.length < HEAD_BYTES) return false
  const isSameSize = head.readUInt32BE(0) === own.height && head.readUInt32BE(4) === own.width
  const isSameDepth = head[10] === SEVERAL_DEPTHS || head[10] === own.depth
  return isSameSize && head.readUInt16BE(8) === own.components && isSameDepth
}

/** A palette is for one component, with a colour for each of its values: of what lies beyond readers show white, black or nothing. */
function isSoundMap({ palette, map }: Boxes, components: number, depth: number): boolean {
  if (palette === undefined) return map === undefined
  return components === 1 && palette === 2 ** (depth + 1) && PLAIN_MAPS.has(map ?? '')
}

function readBoxes(data: Buffer, from: number, to: number, found: Boxes): void {
  for (let at = from; at + 8 <= to;) {
    const isLong = data.readUInt32BE(at) === 1
    const head = isLong ? 16 : 8
    if (at + head > to) return
    const length = isLong ? Number(data.readBigUInt64BE(at + 8)) : data.readUInt32BE(at) || to - at
    const end = Math.min(to, at + length)
    const kind = data.toString('latin1', at + 4, at + 8)
    if (kind === 'jp2h') readBoxes(data, at + head, end, found)
    else if (kind === 'pclr') found.palette = at + head + 2 <= end ? data.readUInt16BE(at + head) : 0
    else if (kind === 'ihdr') found.head ??= data.subarray(at + head, end)
    else if (kind === 'cmap') found.map = data.toString('hex', at + head, end)
    else if (kind === 'colr' && data[at + head] === BY_NUMBER && at + head + 7 <= end)
      found.spaces.push(data.readUInt32BE(at + head + 3))
    else if (kind === 'jp2c' && found.stream < 0) found.stream = at + head
    if (length < head) return
    at = end
  }
}
