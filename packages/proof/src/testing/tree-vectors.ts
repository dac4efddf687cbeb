import { toBase64 } from '../base64.ts'
import type { Bytes } from '../bytes.ts'
import { computeRoot, proveConsistency, proveInclusion } from '../log/tiles.ts'
import { EMPTY_ROOT, hashChildren, hashLeaf } from '../log/tree.ts'
import { writeUtf8 } from '../utf8.ts'
import { listRecords, MemoryLog } from './memory-log.ts'

/** Sizes around powers of two, and around a tile. */
const SIZES = [1, 2, 3, 7, 8, 257]

/** A case that must be accepted where it has no `code`, and refused with that code where it has one. */
export interface InclusionVector {
  id: string
  index: number
  size: number
  leafHash: string
  path: string[]
  root: string
  code?: string
}

/** As `InclusionVector`. */
export interface ConsistencyVector {
  id: string
  oldSize: number
  oldRoot: string
  newSize: number
  newRoot: string
  path: string[]
  code?: string
}

const OTHER = toBase64(hashLeaf(writeUtf8('other')))
const SHORT = toBase64(new Uint8Array(31))
const LONG = toBase64(new Uint8Array(33))
const list = (hashes: readonly Bytes[]) => hashes.map(toBase64)

async function makeLog(): Promise<MemoryLog> {
  const log = new MemoryLog()
  await log.append(listRecords(0, SIZES.at(-1)!))
  return log
}

/** Entries are `record 0`, `record 1` and so on. Each honest proof is followed by what must not pass for it. */
export async function listInclusionVectors(): Promise<InclusionVector[]> {
  const log = await makeLog()
  const vectors: InclusionVector[] = []
  for (const size of SIZES) {
    const root = toBase64(await computeRoot(size, log.readTile))
    for (const index of new Set([0, Math.floor(size / 2), size - 1])) {
      const path = list(await proveInclusion(index, size, log.readTile))
      const leafHash = toBase64(hashLeaf(writeUtf8(`record ${index}`)))
      vectors.push(...breakInclusion({ id: `${index} of ${size}`, index, size, leafHash, path, root }))
    }
  }
  const [a, b] = ['a', 'b'].map((text) => hashLeaf(writeUtf8(text))) as [Bytes, Bytes]
  const pair = { index: 0, size: 1, leafHash: toBase64(hashLeaf(new Uint8Array([...a, ...b]))), path: [] }
  const inner = { id: 'two hashes as an entry', ...pair, root: toBase64(hashChildren(a, b)), code: 'log_inclusion' }
  return [...vectors, inner]
}

function breakInclusion(honest: InclusionVector): InclusionVector[] {
  const { id, index, size, path } = honest
  const changes: [what: string, Partial<InclusionVector>, code?: string][] = [
    ['another entry', { leafHash: OTHER }],
    ['another root', { root: OTHER }],
    ['the root of the empty tree', { root: toBase64(EMPTY_ROOT) }],
    ['a short root', { root: SHORT }],
    ['a long entry', { leafHash: LONG }],
    ['a hash more at the end', { path: [...path, OTHER] }],
    ['a hash more at the start', { path: [OTHER, ...path] }],
    ['an index too high', { index: size }, 'log_range'],
    ['an index below 0', { index: -1 }, 'log_range'],
    ['no size', { size: 0 }, 'log_range'],
  ]
  if (path.length > 0) {
    changes.push(
      ['a hash less at the end', { path: path.slice(0, -1) }],
      ['a hash less at the start', { path: path.slice(1) }],
      ['no path', { path: [] }],
      ['another hash', { path: path.with(0, OTHER) }],
      ['a short hash', { path: path.with(path.length - 1, SHORT) }],
    )
    if (new Set(path).size > 1) changes.push(['a path upside down', { path: path.toReversed() }])
    changes.push(['the index of a neighbour', { index: index % 2 === 1 || index + 1 === size ? index - 1 : index + 1 }])
  }
  return [
    honest,
    ...changes.map(([what, change, code = 'log_inclusion']) => ({ ...honest, ...change, id: `${id}: ${what}`, code })),
  ]
}

/** As `listInclusionVectors`. */
export async function listConsistencyVectors(): Promise<ConsistencyVector[]> {
  const log = await makeLog()
  const roots = new Map<number, string>()
  for (const size of SIZES) roots.set(size, toBase64(await computeRoot(size, log.readTile)))
  const vectors: ConsistencyVector[] = []
  for (const newSize of SIZES) {
    for (const oldSize of SIZES.filter((size) => size <= newSize)) {
      const path = list(await proveConsistency(oldSize, newSize, log.readTile))
      const [oldRoot, newRoot] = [roots.get(oldSize)!, roots.get(newSize)!]
      vectors.push(...breakConsistency({ id: `${oldSize} to ${newSize}`, oldSize, oldRoot, newSize, newRoot, path }))
    }
  }
  return vectors
}

function breakConsistency(honest: ConsistencyVector): ConsistencyVector[] {
  const { id, oldSize, oldRoot, newSize, newRoot, path } = honest
  const changes: [what: string, Partial<ConsistencyVector>, code?: string][] = [
    ['another old root', { oldRoot: OTHER }],
    ['another new root', { newRoot: OTHER }],
    ['short roots', { oldRoot: SHORT, newRoot: SHORT }],
    ['a hash more at the end', { path: [...path, OTHER] }],
    ['a hash more at the start', { path: [OTHER, ...path] }],
    ['from nothing', { oldSize: 0, oldRoot: toBase64(EMPTY_ROOT) }, 'log_range'],
    ['from nothing to nothing', { oldSize: 0, newSize: 0, path: [] }, 'log_range'],
    ['to a smaller tree', { newSize: oldSize - 1 }, 'log_range'],
  ]
  if (oldSize < newSize) {
    changes.push(
      ['a hash less at the end', { path: path.slice(0, -1) }],
      ['a hash less at the start', { path: path.slice(1) }],
      ['no path', { path: [] }],
      ['a short hash', { path: path.with(0, SHORT) }],
      ['roots exchanged', { oldRoot: newRoot, newRoot: oldRoot }],
    )
  }
  return [
    honest,
    ...changes.map(([what, change, code = 'log_consistency']) => ({
      ...honest,
      ...change,
      id: `${id}: ${what}`,
      code,
    })),
  ]
}
