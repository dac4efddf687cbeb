import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex, type Bytes } from '../bytes.ts'
import { listRecords, MemoryLog } from '../testing/memory-log.ts'
import { listPeaks } from './tiles.ts'
import { computeGrownRoot, hashChildren, hashLeaf } from './tree.ts'

const LARGEST = 70
const leaves = listRecords(0, LARGEST).map(hashLeaf)
const refused = (code: string) => ({ name: 'ProofError', code })

/** The trees of 0 to 70 entries, and of some that end a tile. */
async function growLog(sizes: readonly number[]): Promise<{ size: number; root: Bytes; peaks: Bytes[] }[]> {
  const log = new MemoryLog()
  const trees = []
  for (const size of sizes) {
    await log.append(listRecords(log.size, size))
    trees.push({ size, root: log.root, peaks: await listPeaks(size, log.readTile) })
  }
  return trees
}

const trees = await growLog(Array.from({ length: LARGEST + 1 }, (_, size) => size))

test('the peaks of each earlier tree and the entries since give the root of each later one, and of no other', () => {
  for (const { size, peaks } of trees)
    for (const later of trees.slice(size)) {
      const leafHashes = leaves.slice(size, later.size)
      const found = computeGrownRoot({ size, peaks, leafHashes })
      assert.deepEqual(found, later.root, `${size} ${later.size}`)
    }
  const roots = new Set(trees.map(({ root }) => toHex(root)))
  assert.equal(roots.size, LARGEST + 1)
})

test('peaks are found in tiles of every level', async () => {
  for (const size of [255, 256, 257, 511, 512, 65_535, 65_536, 65_537]) {
    const log = new MemoryLog()
    await log.append(listRecords(0, size))
    const peaks = await listPeaks(size, log.readTile)
    assert.equal(peaks.length, size.toString(2).replaceAll('0', '').length)
    assert.deepEqual(computeGrownRoot({ size, peaks, leafHashes: [] }), log.root, String(size))
    const more = listRecords(size, size + 300)
    const grown = computeGrownRoot({ size, peaks, leafHashes: more.map(hashLeaf) })
    await log.append(more)
    assert.deepEqual(grown, log.root, String(size))
  }
})

test('an entry that is left out, added, changed or moved gives another root', () => {
  for (const { size, peaks } of trees.slice(0, 20)) {
    const later = leaves.slice(size, size + 9)
    const { root } = trees[size + 9]!
    const changed: Bytes[][] = [
      ...later.map((_, at) => later.toSpliced(at, 1)),
      ...later.map((_, at) => later.toSpliced(at, 0, leaves[60]!)),
      ...later.map((_, at) => later.toSpliced(at, 1, leaves[60]!)),
      ...later.slice(1).map((leaf, at) => later.toSpliced(at, 2, leaf, later[at]!)),
    ]
    for (const leafHashes of changed)
      assert.notDeepEqual(computeGrownRoot({ size, peaks, leafHashes }), root, String(size))
  }
})

test('as many peaks as the size has, each of 32 bytes, and no other number: else nodes would pass for entries', () => {
  const grow = (size: number, peaks: Bytes[], leafHashes: Bytes[] = []) => computeGrownRoot({ size, peaks, leafHashes })
  for (const { size, peaks, root } of trees) {
    assert.throws(() => grow(size, [...peaks, leaves[0]!]), refused('log_inclusion'), String(size))
    if (size === 0) continue
    assert.throws(() => grow(size, peaks.slice(1)), refused('log_inclusion'), String(size))
    // The root itself is a peak of no tree that has others.
    if (peaks.length > 1) assert.throws(() => grow(size, [root]), refused('log_inclusion'), String(size))
  }
  const peaks = trees[5]!.peaks
  for (const length of [0, 31, 33]) {
    const hash = new Uint8Array(length)
    assert.throws(() => grow(5, [peaks[0]!, hash]), refused('log_inclusion'))
    assert.throws(() => grow(5, peaks, [hash]), refused('log_inclusion'))
  }
  assert.notDeepEqual(grow(5, peaks.toReversed()), grow(5, peaks))
})

test('sizes that no tree has are refused, also where it would grow to one', () => {
  const grow =
    (size: number, leafHashes: Bytes[] = []) =>
    () =>
      computeGrownRoot({ size, peaks: [], leafHashes })
  for (const size of [-1, 0.5, Number.NaN, Infinity, 2 ** 53]) assert.throws(grow(size), refused('log_range'))
  assert.throws(grow(Number.MAX_SAFE_INTEGER, [leaves[0]!]), refused('log_range'))
  // Above 32 bits, where each entry before it is under a peak of its own size.
  const many = { size: 2 ** 33 - 1, peaks: leaves.slice(0, 33), leafHashes: [leaves[33]!] }
  const expected = leaves.slice(0, 33).reduceRight((right, left) => hashChildren(left, right), leaves[33]!)
  assert.deepEqual(computeGrownRoot(many), expected)
  const largest = { size: 2 ** 52, peaks: [leaves[0]!], leafHashes: [leaves[1]!] }
  assert.deepEqual(computeGrownRoot(largest), hashChildren(leaves[0]!, leaves[1]!))
})
