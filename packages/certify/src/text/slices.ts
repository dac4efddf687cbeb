import { readFile } from 'node:fs/promises'
import type { Family, Slice } from './script-families.ts'
import { makeTypeface, type OpenedFace, openFace, type Typeface } from './typefaces.ts'

/** What is kept unpacked between certificates; one that needs more may have more while it is drawn. */
export const MAX_KEPT_BYTES = 8 << 20

interface OpenedSlice extends OpenedFace {
  bytes: Uint8Array
  weights: Map<number, Typeface>
}

/** By name, least recently wanted first. */
const opened = new Map<string, OpenedSlice>()
let keptBytes = 0
let users = 0
let reads = 0

/** Reads and unpacks the slice unless it is at hand. */
export async function openSlice(slice: Slice): Promise<void> {
  const known = opened.get(slice.name)
  if (known !== undefined) {
    opened.delete(slice.name)
    opened.set(slice.name, known)
    return
  }
  reads += 1
  // unpacks with WebAssembly that only certificates in these scripts have to load
  const { default: unpack } = await import('woff2-encoder/decompress')
  const bytes = await unpack(await readFile(slice.path))
  if (opened.has(slice.name)) return
  keptBytes += bytes.length
  opened.set(slice.name, { ...openFace(bytes), bytes, weights: new Map() })
}

/** The slice as a face of this weight, when it is open. */
export function takeTypeface(slice: Slice, weight: number): Typeface | undefined {
  const known = opened.get(slice.name)
  if (known === undefined) return undefined
  let typeface = known.weights.get(weight)
  if (typeface === undefined) {
    typeface = makeTypeface({
      name: nameFont(slice.family, weight),
      source: slice.name,
      bytes: known.bytes,
      opened: known,
      weight,
    })
    known.weights.set(weight, typeface)
  }
  return typeface
}

/**
 * Families that run from left to right go into one font with Noto Sans, of which they are parts. Hebrew must not: readers
 * take neighbours of one font for one text and then guess its direction.
 */
function nameFont(family: Family, weight: number): string {
  if (family === 'hebrew' || family === 'emoji') return `${family}${weight}`
  return weight === 600 ? 'notoStrong' : 'noto'
}

/** While somebody holds them, no slice is put away. @returns how to let go, which is done once. */
export function holdSlices(): () => void {
  users += 1
  return () => {
    users -= 1
    if (users === 0) putAway(MAX_KEPT_BYTES)
  }
}

/** What the cache holds, and how many files were read since the process began. */
export function countSlices(): { open: number; bytes: number; reads: number } {
  return { open: opened.size, bytes: keptBytes, reads }
}

function putAway(limit: number): void {
  for (const [name, { bytes }] of opened) {
    if (keptBytes <= limit) return
    opened.delete(name)
    keptBytes -= bytes.length
  }
}
