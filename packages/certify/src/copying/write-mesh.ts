import type { Mesh } from './read-mesh.ts'

const COORDINATE_BITS = 32
const COMPONENT_BITS = 16

/** A mesh as data of whole bytes, with how its places and colours are read from them. */
export interface WrittenMesh {
  data: Buffer
  decode: number[]
  coordinateBits: number
  componentBits: number
}

export function writeMesh({ kind, entries, decode: [x0 = 0, x1 = 0, y0 = 0, y1 = 0] }: Mesh): WrittenMesh {
  const ranges = listRanges(entries.flatMap(({ colours }) => colours))
  const sizes = entries.map(({ points, colours }) => points.length * 8 + colours.length * ranges.length * 2 + 1)
  const data = Buffer.alloc(sizes.reduce((sum, size) => sum + size - (kind === 5 ? 1 : 0), 0))
  let at = 0
  const put = (value: number, [least, most]: readonly [number, number], bits: number): void => {
    const share = most === least ? 0 : Math.max(0, Math.min(1, (value - least) / (most - least)))
    data.writeUIntBE(Math.round(share * (2 ** bits - 1)), at, bits / 8)
    at += bits / 8
  }
  for (const { flag, points, colours } of entries) {
    if (kind !== 5) data[at++] = flag
    for (const [x, y] of points) {
      put(x, [x0, x1], COORDINATE_BITS)
      put(y, [y0, y1], COORDINATE_BITS)
    }
    for (const colour of colours) for (const [i, value] of colour.entries()) put(value, ranges[i]!, COMPONENT_BITS)
  }
  const decode = [x0, x1, y0, y1, ...ranges.flat()]
  return { data, decode, coordinateBits: COORDINATE_BITS, componentBits: COMPONENT_BITS }
}

/** From 0 to 1, or what lies beyond. */
function listRanges(colours: readonly (readonly number[])[]): [least: number, most: number][] {
  const ranges = colours[0]!.map((): [number, number] => [0, 1])
  for (const colour of colours)
    for (const [i, value] of colour.entries()) {
      if (value < ranges[i]![0]) ranges[i]![0] = value
      if (value > ranges[i]![1]) ranges[i]![1] = value
    }
  return ranges
}
