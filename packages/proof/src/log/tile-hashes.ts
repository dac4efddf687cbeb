import type { Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { HASH_BYTES, hashChildren, splitSize } from './tree.ts'

/** Hashes in a full tile, which spans 8 levels of the tree. c2sp.org/tlog-tiles, "Merkle Tree". */
export const TILE_WIDTH = 256

/** Levels of the tree between one level of tiles and the next. */
const TILE_HEIGHT = 8

/**
 * Gives the first `width` hashes (1 to 256) of a tile, 32 bytes each, one after the other. What is stored may be longer, as a
 * narrower tile is the beginning of a wider one.
 */
export type ReadTile = (level: number, index: number, width: number) => Promise<Bytes>

/** Gives the tile as wide as the tree has it, each read once. */
export type ReadWidest = (level: number, index: number) => Promise<Bytes>

/** A proof needs a few hashes of each of some tiles, at most three of each of the seven levels. */
export function rememberTiles(size: number, readTile: ReadTile): ReadWidest {
  const known = new Map<string, Bytes>()
  return async (level, index) => {
    const key = `${level}/${index}`
    const found = known.get(key)
    if (found) return found
    const hashes = Math.floor(size / TILE_WIDTH ** level)
    const data = await readWhole(readTile, level, index, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH))
    known.set(key, data)
    return data
  }
}

export async function readWhole(readTile: ReadTile, level: number, index: number, width: number): Promise<Bytes> {
  const data = await readTile(level, index, width)
  if (data.length !== width * HASH_BYTES) {
    refuse('log_tile', `tile ${level}/${index}: ${data.length} bytes for ${width} hashes`)
  }
  return data
}

/** Hash of the entries from `from` to before `to`, at least one: MTH of RFC 9162 section 2.1.1. */
export async function hashRange(tiles: ReadWidest, from: number, to: number): Promise<Bytes> {
  const count = to - from
  const left = count === 1 ? 1 : splitSize(count)
  if (count === 1 || (left * 2 === count && from % count === 0)) return readSubtree(tiles, from, count)
  return hashChildren(await hashRange(tiles, from, from + left), await hashRange(tiles, from + left, to))
}

/** Hash of a complete subtree: one or more neighbours of one tile. */
async function readSubtree(tiles: ReadWidest, from: number, count: number): Promise<Bytes> {
  let level = 0
  let leaves = 1
  while (leaves * TILE_WIDTH <= count) {
    leaves *= TILE_WIDTH
    level++
  }
  const first = from / leaves
  const data = await tiles(level, Math.floor(first / TILE_WIDTH))
  const start = (first % TILE_WIDTH) * HASH_BYTES
  return hashRow(data.slice(start, start + (count / leaves) * HASH_BYTES))
}

/** The root over a power of two of hashes, at most a tile of them. */
export function hashRow(data: Bytes): Bytes {
  let row = Array.from({ length: data.length / HASH_BYTES }, (_, i) => data.slice(i * HASH_BYTES, (i + 1) * HASH_BYTES))
  for (let height = 0; height < TILE_HEIGHT && row.length > 1; height++) {
    row = Array.from({ length: row.length / 2 }, (_, i) => hashChildren(row[2 * i]!, row[2 * i + 1]!))
  }
  return row[0]!
}
