import type { PdfStream } from '@libpdf/core'
import { type ObjectStore, type PdfObject, readNumber, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { readBits } from './read-bits.ts'

/** Corners of triangles (4 and 5) or patches (6 and 7) as they stand in the data (ISO 32000-2 section 8.7.4.5). */
export interface Mesh {
  kind: MeshKind
  /** Of a corner or a patch: its flag, its places and its colours, each between its least and its most. */
  entries: MeshEntry[]
  verticesPerRow: number
  decode: number[]
}
export type MeshKind = 4 | 5 | 6 | 7
export interface MeshEntry {
  flag: number
  points: (readonly [x: number, y: number])[]
  colours: number[][]
}

const MAX_BYTES = 64 << 20
const FLAG_BITS = [2, 4, 8]
const COLOUR_BITS = [1, 2, 4, 8, 12, 16]
const POINT_BITS = [...COLOUR_BITS, 24, 32]

/**
 * @param components Numbers of a colour in the data.
 * @returns undefined for one that is not whole, or that readers divide in different places.
 */
export function readMesh(store: ObjectStore, stream: PdfStream, kind: MeshKind, components: number): Mesh | undefined {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  const read = (key: string): number => readNumber(stream.get(key), resolve) ?? Number.NaN
  const [flagBits, pointBits, colourBits] = [
    kind === 5 ? 0 : read('BitsPerFlag'),
    read('BitsPerCoordinate'),
    read('BitsPerComponent'),
  ]
  const [decode, data] = [readNumbers(stream.get('Decode'), resolve), decodeContent(store, stream, MAX_BYTES)]
  if (kind !== 5 && !FLAG_BITS.includes(flagBits)) return undefined
  if (!POINT_BITS.includes(pointBits) || !COLOUR_BITS.includes(colourBits)) return undefined
  if (decode?.length !== 4 + 2 * components || data === undefined) return undefined
  let at = 0
  const take = (bits: number, pair: number): number => {
    const share = readBits(data, at, bits) / (2 ** bits - 1)
    at += bits
    return decode[2 * pair]! + share * (decode[2 * pair + 1]! - decode[2 * pair]!)
  }
  const entries: MeshEntry[] = []
  while (at < data.length * 8) {
    const flag = readBits(data, at, flagBits)
    at += flagBits
    const [points, colours] = countParts(kind, flag)
    const [isFirst, most] = [entries.length === 0, kind === 4 ? 2 : 3]
    if (flag > most || (isFirst && flag !== 0)) return undefined
    const entry: MeshEntry = { flag, points: [], colours: [] }
    for (let i = 0; i < points; i++) entry.points.push([take(pointBits, 0), take(pointBits, 1)])
    for (let i = 0; i < colours; i++)
      entry.colours.push(Array.from({ length: components }, (_, j) => take(colourBits, 2 + j)))
    if (kind === 4) at = Math.ceil(at / 8) * 8
    // some readers begin each at a byte, others where the one before ends
    else if (at % 8 !== 0) return undefined
    entries.push(entry)
  }
  const verticesPerRow = kind === 5 ? read('VerticesPerRow') : 0
  const isWhole =
    at === data.length * 8 && entries.length > 0 && (kind !== 5 || areRows(entries.length, verticesPerRow))
  return isWhole ? { kind, entries, verticesPerRow, decode } : undefined
}

function countParts(kind: MeshKind, flag: number): [points: number, colours: number] {
  if (kind < 6) return [1, 1]
  const [all, shared] = kind === 6 ? [12, 4] : [16, 4]
  return flag === 0 ? [all, 4] : [all - shared, 2]
}

const areRows = (count: number, perRow: number): boolean =>
  Number.isInteger(perRow) && perRow >= 2 && count % perRow === 0 && count >= 2 * perRow

/** Colours of the corners between which each triangle or patch goes over from one to the next; of patches in the order of the square. */
export function* listCells({ kind, entries, verticesPerRow }: Mesh): Generator<readonly (readonly number[])[]> {
  if (kind === 5) {
    const at = (i: number): readonly number[] => entries[i]!.colours[0]!
    for (let i = 0; i + verticesPerRow < entries.length; i++)
      if ((i + 1) % verticesPerRow !== 0) yield [at(i), at(i + 1), at(i + verticesPerRow), at(i + verticesPerRow + 1)]
    return
  }
  let last: readonly number[][] = []
  let due = 0
  for (const { flag, colours } of entries) {
    if (kind === 4) {
      if (due === 0 && flag === 0) [last, due] = [[], 3]
      else if (due === 0) [last, due] = [[flag === 1 ? last[1]! : last[0]!, last[2]!], 1]
      last = [...last, colours[0]!]
      due--
      if (due === 0) yield last
    } else {
      if (flag === 0) last = colours
      else last = [last[flag]!, last[(flag + 1) % 4]!, ...colours]
      yield [last[0]!, last[3]!, last[1]!, last[2]!]
    }
  }
}
