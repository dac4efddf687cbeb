import { joinBytes, type Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { hashRange, hashRow, readWhole, rememberTiles, TILE_WIDTH, type ReadTile } from './tile-hashes.ts'
import { checkIndex, checkSize, EMPTY_ROOT, HASH_BYTES, splitSize } from './tree.ts'

export type { ReadTile } from './tile-hashes.ts'

/** A tile with all its hashes up to now. */
export interface Tile {
  level: number
  index: number
  /** 1 to 256 hashes of 32 bytes. */
  data: Bytes
}

/**
 * Adds entries at the end of a tree.
 * @param size Entries before; their tiles are asked of `readTile`.
 * @returns the new size and root, and every tile that is new or wider than before, whole: storing them makes the new tree.
 * @throws ProofError `log_range`, `log_tile`.
 * @see c2sp.org/tlog-tiles, "Merkle Tree" and "Partial Tiles"
 */
export async function appendLeaves(
  size: number,
  leafHashes: readonly Bytes[],
  readTile: ReadTile,
): Promise<{ size: number; root: Bytes; tiles: Tile[] }> {
  const newSize = size + leafHashes.length
  checkSize(size)
  checkSize(newSize)
  if (leafHashes.some((hash) => hash.length !== HASH_BYTES)) refuse('log_tile', 'a hash has 32 bytes')
  const tiles = new Map<string, Tile>()
  let [start, hashes] = [size, leafHashes]
  for (let level = 0; hashes.length > 0; level++) {
    const widened = await widenLevel(level, start, hashes, readTile)
    for (const tile of widened) tiles.set(`${level}/${tile.index}`, tile)
    start = Math.floor(start / TILE_WIDTH)
    hashes = widened.filter(({ data }) => data.length === TILE_WIDTH * HASH_BYTES).map(({ data }) => hashRow(data))
  }
  const readNew: ReadTile = async (level, index, width) =>
    tiles.get(`${level}/${index}`)?.data.subarray(0, width * HASH_BYTES) ?? readTile(level, index, width)
  return { size: newSize, root: await computeRoot(newSize, readNew), tiles: [...tiles.values()] }
}

/** The tiles of one level after `hashes` were put behind the `start` that it had. */
async function widenLevel(level: number, start: number, hashes: readonly Bytes[], readTile: ReadTile): Promise<Tile[]> {
  const tiles: Tile[] = []
  for (let at = 0; at < hashes.length;) {
    const index = Math.floor((start + at) / TILE_WIDTH)
    const kept = (start + at) % TILE_WIDTH
    const before = kept > 0 ? await readWhole(readTile, level, index, kept) : new Uint8Array()
    const added = hashes.slice(at, at + TILE_WIDTH - kept)
    tiles.push({ level, index, data: joinBytes(before, ...added) })
    at += added.length
  }
  return tiles
}

/**
 * The root of the tree of `size` entries.
 * @throws ProofError `log_range`, `log_tile`.
 * @see RFC 9162 section 2.1.1
 */
export async function computeRoot(size: number, readTile: ReadTile): Promise<Bytes> {
  checkSize(size)
  return size === 0 ? EMPTY_ROOT : hashRange(rememberTiles(size, readTile), 0, size)
}

/**
 * The hashes of the complete subtrees that a tree is made of, the largest first, as `computeGrownRoot` takes them; none for the empty
 * tree.
 * @throws ProofError `log_range`, `log_tile`.
 * @see RFC 9162 section 2.1.1
 */
export async function listPeaks(size: number, readTile: ReadTile): Promise<Bytes[]> {
  checkSize(size)
  const tiles = rememberTiles(size, readTile)
  const peaks: Bytes[] = []
  for (let from = 0; from < size;) {
    const left = splitSize(size - from + 1)
    peaks.push(await hashRange(tiles, from, from + left))
    from += left
  }
  return peaks
}

/**
 * The path that `verifyInclusion` takes, for the entry at `index` of the tree of `size` entries.
 * @throws ProofError `log_range`, `log_tile`.
 * @see RFC 9162 section 2.1.3.1
 */
export async function proveInclusion(index: number, size: number, readTile: ReadTile): Promise<Bytes[]> {
  checkIndex(index, size)
  const tiles = rememberTiles(size, readTile)
  const path: Bytes[] = []
  let [from, to] = [0, size]
  while (to - from > 1) {
    const middle = from + splitSize(to - from)
    path.push(index < middle ? await hashRange(tiles, middle, to) : await hashRange(tiles, from, middle))
    if (index < middle) to = middle
    else from = middle
  }
  return path.toReversed()
}

/**
 * The path that `verifyConsistency` takes, between the trees of two sizes; empty where either is needed for nothing.
 * @throws ProofError `log_range`, `log_tile`.
 * @see RFC 9162 section 2.1.4.1
 */
export async function proveConsistency(oldSize: number, newSize: number, readTile: ReadTile): Promise<Bytes[]> {
  checkSize(oldSize)
  checkSize(newSize)
  if (oldSize > newSize) refuse('log_range', `nothing leads from size ${oldSize} to ${newSize}`)
  if (oldSize === 0) return []
  const tiles = rememberTiles(newSize, readTile)
  const path: Bytes[] = []
  let [from, to] = [0, newSize]
  while (oldSize < to) {
    const middle = from + splitSize(to - from)
    path.push(oldSize <= middle ? await hashRange(tiles, middle, to) : await hashRange(tiles, from, middle))
    if (oldSize <= middle) to = middle
    else from = middle
  }
  // whoever checks it has the old root, and needs no hash that is just that
  if (from > 0) path.push(await hashRange(tiles, from, to))
  return path.toReversed()
}

/** Deepest level that a path can name. c2sp.org/tlog-tiles, "Merkle Tree". */
const MAX_LEVEL = 63

/** Longer than any path of a tree with 2^53 entries; a longer text is refused unread. */
const MAX_PATH_LENGTH = 64

const PATH = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/

/** Which tile, and how many of its hashes: 1 to 256. */
export interface TileName {
  level: number
  index: number
  width: number
}

/**
 * The path of a tile below the log's prefix, such as `tile/0/x001/x234/067` or `tile/1/000.p/17`.
 * @param width 1 to 256; 256 is the full tile.
 * @throws ProofError `log_tile`.
 * @see c2sp.org/tlog-tiles, "Merkle Tree"
 */
export function formatTilePath(level: number, index: number, width: number): string {
  if (!Number.isSafeInteger(level) || level < 0 || level > MAX_LEVEL) refuse('log_tile', `level ${level}`)
  return `tile/${level}/${formatIndex(index)}${formatWidth(width)}`
}

/** The path of a bundle of entries, such as `tile/entries/000.p/8`. @throws ProofError `log_tile`. c2sp.org/tlog-tiles, "Log entries". */
export function formatEntriesPath(index: number, width: number): string {
  return `tile/entries/${formatIndex(index)}${formatWidth(width)}`
}

/**
 * Reads the path of a tile in its one form.
 * @throws ProofError `log_tile` for any other text, also for the path of a bundle of entries.
 * @see c2sp.org/tlog-tiles, "Merkle Tree"
 */
export function parseTilePath(path: string): TileName {
  const { level, index, width } = readPath(path)
  const name = { level: Number(level), index, width }
  // what is not written back as it stood has zeros too many or a number too high
  if (level === 'entries' || formatTilePath(name.level, index, width) !== path) refuse('log_tile', 'path of a tile')
  return name
}

/** Reads the path of a bundle of entries in its one form. @throws ProofError `log_tile`. c2sp.org/tlog-tiles, "Log entries". */
export function parseEntriesPath(path: string): { index: number; width: number } {
  const { level, index, width } = readPath(path)
  if (level !== 'entries' || formatEntriesPath(index, width) !== path) refuse('log_tile', 'path of a bundle')
  return { index, width }
}

function readPath(path: string): { level: string; index: number; width: number } {
  const [, level, groups, width] = (path.length <= MAX_PATH_LENGTH && PATH.exec(path)) || []
  if (level === undefined || groups === undefined) return refuse('log_tile', 'path')
  // a full tile has no width in its path
  if (Number(width) === TILE_WIDTH) refuse('log_tile', 'path')
  return { level, index: Number(groups.replaceAll(/[x/]/g, '')), width: Number(width ?? TILE_WIDTH) }
}

/** Groups of three digits, `x` before all but the last. */
function formatIndex(index: number): string {
  if (!Number.isSafeInteger(index) || index < 0) refuse('log_tile', `index ${index}`)
  const digits = String(index)
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  return padded.replaceAll(/(\d{3})(?=\d)/g, 'x$1/')
}

function formatWidth(width: number): string {
  if (!Number.isSafeInteger(width) || width < 1 || width > TILE_WIDTH) refuse('log_tile', `width ${width}`)
  return width === TILE_WIDTH ? '' : `.p/${width}`
}

/** The length of an entry is written in two bytes. c2sp.org/tlog-tiles, "Log entries". */
export const MAX_ENTRY_BYTES = 65_535

const PREFIX_BYTES = 2

/**
 * Entries one after the other, each after its length as two bytes, the higher first.
 * @param entries 1 to 256.
 * @throws ProofError `log_tile`.
 * @see c2sp.org/tlog-tiles, "Log entries"
 */
export function formatEntryBundle(entries: readonly Bytes[]): Bytes {
  if (entries.length === 0 || entries.length > TILE_WIDTH) refuse('log_tile', 'a bundle has 1 to 256 entries')
  return joinBytes(
    ...entries.flatMap((entry) => {
      if (entry.length > MAX_ENTRY_BYTES) refuse('log_tile', `an entry of ${entry.length} bytes`)
      return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]
    }),
  )
}

/** Reads a bundle of 1 to 256 entries to its last byte. @throws ProofError `log_tile`. c2sp.org/tlog-tiles, "Log entries". */
export function parseEntryBundle(bundle: Bytes): Bytes[] {
  const entries: Bytes[] = []
  for (let at = 0; at < bundle.length;) {
    const from = at + PREFIX_BYTES
    if (from > bundle.length) refuse('log_tile', 'a bundle that ends in a length')
    at = from + bundle[at]! * 256 + bundle[at + 1]!
    if (at > bundle.length) refuse('log_tile', 'a bundle that ends in an entry')
    if (entries.push(bundle.slice(from, at)) > TILE_WIDTH) refuse('log_tile', 'a bundle of more than 256 entries')
  }
  if (entries.length === 0) refuse('log_tile', 'an empty bundle')
  return entries
}
