import { areEqual, joinBytes, type Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { hashSha256 } from '../sha256.ts'

/** Length of every hash in the tree. */
export const HASH_BYTES = 32

/** Tell the hash of an entry from that of two children, or an inner node could be passed off as an entry. */
const LEAF_PREFIX = Uint8Array.of(0)
const NODE_PREFIX = Uint8Array.of(1)

/** Root of the tree without entries: SHA-256 of nothing. RFC 9162 section 2.1.1. */
export const EMPTY_ROOT: Bytes = hashSha256(new Uint8Array())

/** The hash under which an entry stands in the tree: SHA-256(0x00 || entry). RFC 9162 section 2.1.1. */
export function hashLeaf(entry: Bytes): Bytes {
  return hashSha256(joinBytes(LEAF_PREFIX, entry))
}

/** The hash of two neighbours' parent: SHA-256(0x01 || left || right). RFC 9162 section 2.1.1. */
export function hashChildren(left: Bytes, right: Bytes): Bytes {
  return hashSha256(joinBytes(NODE_PREFIX, left, right))
}

/** A number of entries: a whole number that a double holds exactly. @throws ProofError `log_range`. */
export function checkSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) refuse('log_range', `no tree has the size ${size}`)
}

/** The place of an entry in a tree. @throws ProofError `log_range`. */
export function checkIndex(index: number, size: number): void {
  checkSize(size)
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) refuse('log_range', `no index ${index} of ${size}`)
}

/** Says that an entry stands at `index` of the tree of `size` entries with this root. */
export interface InclusionProof {
  index: number
  size: number
  leafHash: Bytes
  /** From the leaf's sibling up to the root's child. */
  path: readonly Bytes[]
  root: Bytes
}

/**
 * Makes sure that an entry is in a tree. Takes at most 53 hashes, however long the path is.
 * @throws ProofError `log_range`, `log_inclusion`.
 * @see RFC 9162 section 2.1.3.2
 */
export function verifyInclusion({ index, size, leafHash, path, root }: InclusionProof): void {
  checkIndex(index, size)
  checkHashes([leafHash, root], 'log_inclusion')
  const walk = startWalk(index, size - 1)
  let found = leafHash
  for (const sibling of path) {
    checkHashes([sibling], 'log_inclusion')
    const side = climb(walk) ?? refuse('log_inclusion', 'the path goes on above the root')
    found = side === 'left' ? hashChildren(sibling, found) : hashChildren(found, sibling)
  }
  if (walk.last !== 0) refuse('log_inclusion', 'the path ends below the root')
  if (!areEqual(found, root)) refuse('log_inclusion', 'the path leads to another root')
}

/** Says that the tree with the new root begins with all of the tree with the old one. */
export interface ConsistencyProof {
  oldSize: number
  oldRoot: Bytes
  newSize: number
  newRoot: Bytes
  path: readonly Bytes[]
}

/**
 * Makes sure that a log only grew. An empty old tree is refused: it has no proof, and every tree begins with it.
 * @throws ProofError `log_range`, `log_consistency`.
 * @see RFC 9162 section 2.1.4.2
 */
export function verifyConsistency({ oldSize, oldRoot, newSize, newRoot, path }: ConsistencyProof): void {
  checkSize(oldSize)
  checkSize(newSize)
  if (oldSize === 0 || oldSize > newSize) refuse('log_range', `nothing leads from size ${oldSize} to ${newSize}`)
  checkHashes([oldRoot, newRoot], 'log_consistency')
  if (oldSize === newSize) {
    if (path.length > 0) refuse('log_consistency', 'a path between trees of one size')
    if (!areEqual(oldRoot, newRoot)) refuse('log_consistency', 'two roots of one size')
    return
  }
  const [first, ...others] = isPowerOfTwo(oldSize) ? [oldRoot, ...path] : path
  if (!first) return refuse('log_consistency', 'no path')
  checkHashes([first], 'log_consistency')
  const walk = startWalk(oldSize - 1, newSize - 1)
  while (walk.at % 2 === 1) rise(walk)
  let [foundOld, foundNew] = [first, first]
  for (const sibling of others) {
    checkHashes([sibling], 'log_consistency')
    const side = climb(walk) ?? refuse('log_consistency', 'the path goes on above the root')
    if (side === 'left') foundOld = hashChildren(sibling, foundOld)
    foundNew = side === 'left' ? hashChildren(sibling, foundNew) : hashChildren(foundNew, sibling)
  }
  if (walk.last !== 0) refuse('log_consistency', 'the path ends below the root')
  if (!areEqual(foundOld, oldRoot)) refuse('log_consistency', 'the path leads to another old root')
  if (!areEqual(foundNew, newRoot)) refuse('log_consistency', 'the path leads to another new root')
}

/** A tree by its complete subtrees, and entries that came behind it. */
export interface GrownTree {
  /** Entries below `peaks`. */
  size: number
  /** Hashes of the complete subtrees that the tree of `size` entries is made of, the largest first: one for each bit of `size`. */
  peaks: readonly Bytes[]
  /** Of the entries from `size` on, in their order. */
  leafHashes: readonly Bytes[]
}

/**
 * The root of a tree, worked out from what it was before and all that came then. Where a log signed that root for a tree of so many
 * entries, each stands where it is said to stand, and none was left out.
 * @throws ProofError `log_range`; `log_inclusion` for another number of peaks than the size has, or hashes of another length.
 * @see RFC 9162 section 2.1.1
 */
export function computeGrownRoot({ size, peaks, leafHashes }: GrownTree): Bytes {
  checkSize(size)
  checkSize(size + leafHashes.length)
  checkHashes(peaks, 'log_inclusion')
  checkHashes(leafHashes, 'log_inclusion')
  if (peaks.length !== countPeaks(size)) refuse('log_inclusion', `${peaks.length} peaks of a tree of ${size}`)
  const row = [...peaks]
  for (const [at, leafHash] of leafHashes.entries()) addLeaf(row, size + at, leafHash)
  return hashPeaks(row)
}

/**
 * Puts an entry behind a tree that is held as its complete subtrees.
 * @param row Their hashes, the largest first; changed to those of the tree with the entry.
 * @param size Entries before.
 * @see RFC 9162 section 2.1.1
 */
export function addLeaf(row: Bytes[], size: number, leafHash: Bytes): void {
  let found = leafHash
  // a complete subtree is joined with the one of its size before it
  for (let last = size; last % 2 === 1; last = Math.floor(last / 2)) found = hashChildren(row.pop()!, found)
  row.push(found)
}

/** The root of the tree that is made of these complete subtrees, the largest first. RFC 9162 section 2.1.1. */
export function hashPeaks(row: readonly Bytes[]): Bytes {
  return row.length === 0 ? EMPTY_ROOT : row.reduceRight((right, left) => hashChildren(left, right))
}

/** One for each bit of the size. */
function countPeaks(size: number): number {
  return size.toString(2).replaceAll('0', '').length
}

/** Where a proof stands: index of its node, and of the last node, on the same level. */
interface Walk {
  at: number
  last: number
}

function startWalk(at: number, last: number): Walk {
  return { at, last }
}

/** Shifts are for 32 bits only, sizes have 53. */
function rise(walk: Walk): void {
  walk.at = Math.floor(walk.at / 2)
  walk.last = Math.floor(walk.last / 2)
}

/** Goes up past the next sibling. @returns on which side it stands; undefined at the root, which has none. */
function climb(walk: Walk): 'left' | 'right' | undefined {
  if (walk.last === 0) return undefined
  const side = walk.at % 2 === 1 || walk.at === walk.last ? 'left' : 'right'
  // the last node of a level without a sibling rises by itself until it has one on its left
  if (side === 'left') while (walk.at % 2 === 0 && walk.at !== 0) rise(walk)
  rise(walk)
  return side
}

/** @throws ProofError `code`. A shorter or longer "hash" would make two trees look alike. */
function checkHashes(hashes: readonly Bytes[], code: 'log_inclusion' | 'log_consistency'): void {
  if (hashes.some((hash) => hash.length !== HASH_BYTES)) refuse(code, 'a hash has 32 bytes')
}

/** The largest power of two below `size`, which is 2 or more: where a tree splits. RFC 9162 section 2.1.1. */
export function splitSize(size: number): number {
  let left = 1
  while (left * 2 < size) left *= 2
  return left
}

function isPowerOfTwo(size: number): boolean {
  return size === 1 || splitSize(size) * 2 === size
}
