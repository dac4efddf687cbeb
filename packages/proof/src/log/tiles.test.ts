import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areEqual } from '../bytes.ts'
import { listRecords, MemoryLog } from '../testing/memory-log.ts'
import { sha256Hex } from '../testing/write-revision0.ts'
import { testLogVectors } from '../testing/log-vectors.ts'
import { writeUtf8 } from '../utf8.ts'
import {
  appendLeaves,
  computeRoot,
  formatEntriesPath,
  formatEntryBundle,
  formatTilePath,
  MAX_ENTRY_BYTES,
  parseEntriesPath,
  parseEntryBundle,
  parseTilePath,
  proveConsistency,
  proveInclusion,
} from './tiles.ts'
import { EMPTY_ROOT, hashLeaf, verifyConsistency, verifyInclusion } from './tree.ts'

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

async function makeLog(size: number): Promise<MemoryLog> {
  const log = new MemoryLog()
  await log.append(listRecords(0, size))
  return log
}

/** Number of full tiles and width of the last one, by level. */
function countTiles(log: MemoryLog): Record<string, { full: number; partial: number }> {
  const counts: Record<string, { full: number; partial: number }> = {}
  for (const [key, { length }] of log.tiles) {
    const count = (counts[key.split('/')[0]!] ??= { full: 0, partial: 0 })
    if (length === 8192) count.full++
    else count.partial = length / 32
  }
  return counts
}

testLogVectors('the reference tree has its published root at every size', async ({ reference_tree }) => {
  const log = new MemoryLog()
  for (const [i, hex] of reference_tree.leaves_hex.entries()) {
    await log.append([Uint8Array.from(Buffer.from(hex, 'hex'))])
    assert.equal(Buffer.from(log.root).toString('hex'), reference_tree.roots_hex_for_size_1_to_8[i])
  }
})

testLogVectors(
  'a tree of 300 entries has the root and the tiles that others wrote',
  async ({ tile_tree_300: tree }) => {
    const log = await makeLog(tree.size)
    assert.equal(encode(log.root), tree.root)
    for (const [path, { len, sha256_hex, b64 }] of Object.entries(tree.tiles)) {
      const { level, index, width } = parseTilePath(path)
      const tile = await log.readTile(level, index, width)
      assert.equal(tile.length, len)
      if (sha256_hex !== undefined) assert.equal(sha256Hex(tile), sha256_hex)
      if (b64 !== undefined) assert.equal(encode(tile), b64)
    }
    assert.equal(log.tiles.size, Object.keys(tree.tiles).length)
  },
)

testLogVectors(
  'roots and proofs up to 70,000 entries are those of another implementation',
  async ({ go_tlog_70000, tile_paths }) => {
    const log = await makeLog(70_000)
    const { roots_by_size, inclusion, consistency } = go_tlog_70000
    for (const [size, root] of Object.entries(roots_by_size)) {
      assert.equal(encode(await computeRoot(Number(size), log.readTile)), root, size)
    }
    for (const [index, size, proof] of inclusion) {
      const path = await proveInclusion(index, size, log.readTile)
      assert.deepEqual(path.map(encode), proof, `${index} of ${size}`)
      const root = await computeRoot(size, log.readTile)
      verifyInclusion({ index, size, leafHash: hashLeaf(writeUtf8(`record ${index}`)), path, root })
    }
    for (const [oldSize, newSize, proof] of consistency) {
      const path = await proveConsistency(oldSize, newSize, log.readTile)
      assert.deepEqual(path.map(encode), proof, `${oldSize} to ${newSize}`)
      const oldRoot = await computeRoot(oldSize, log.readTile)
      verifyConsistency({ oldSize, oldRoot, newSize, newRoot: await computeRoot(newSize, log.readTile), path })
    }
    for (const [level, counts] of Object.entries(tile_paths.partials_for_size_70000)) {
      assert.deepEqual(countTiles(log)[level], counts)
    }
  },
)

testLogVectors('a tree of 256 entries is a full tile and one hash above it', async ({ tile_paths }) => {
  const log = await makeLog(256)
  assert.deepEqual(countTiles(log), tile_paths.partials_for_size_256)
})

testLogVectors('the paths of tiles and bundles are written and read as elsewhere', ({ tile_paths }) => {
  for (const [level, index, partial, path] of tile_paths.cases) {
    const width = partial || 256
    if (level === 'entries') {
      assert.equal(formatEntriesPath(index, width), path)
      assert.deepEqual(parseEntriesPath(path), { index, width })
    } else {
      assert.equal(formatTilePath(level, index, width), path)
      assert.deepEqual(parseTilePath(path), { level, index, width })
    }
  }
})

testLogVectors(
  'a bundle of entries and its tile are those that another log serves',
  async ({ tessera_log_15: vector }) => {
    const entries = vector.entries_utf8.map(writeUtf8)
    const bundle = formatEntryBundle(entries)
    assert.equal(encode(bundle), vector.entry_bundle_b64)
    assert.deepEqual(parseEntryBundle(bundle), entries)
    const log = new MemoryLog()
    await log.append(entries)
    assert.equal(encode(log.tiles.get('0/0')!), vector.tile_0_000_p_15_b64)
  },
)

test('it makes no difference in how many pieces a log has grown', async () => {
  const whole = await makeLog(1100)
  for (const steps of [[1], [1, 255, 256, 7], [300, 211, 1, 512], [256, 256, 500]]) {
    const log = new MemoryLog()
    for (let i = 0; log.size < 1100; i++) {
      const to = Math.min(1100, log.size + steps[i % steps.length]!)
      await log.append(listRecords(log.size, to))
    }
    assert.deepEqual(log.root, whole.root)
    assert.deepEqual(log.tiles, whole.tiles)
  }
})

test('an append names every tile that changed, whole, and no other', async () => {
  const log = await makeLog(300)
  const changed = await log.append(listRecords(300, 513))
  assert.deepEqual(
    changed.map(({ level, index, data }) => [level, index, data.length / 32]),
    [
      [0, 1, 256],
      [0, 2, 1],
      [1, 0, 2],
    ],
  )
  assert.deepEqual(await log.append([]), [])
  assert.equal(log.size, 513)
})

test('an append to an empty log of nothing gives the empty tree', async () => {
  assert.deepEqual(await appendLeaves(0, [], new MemoryLog().readTile), { size: 0, root: EMPTY_ROOT, tiles: [] })
})

test('every entry of every tree up to 70 entries is proved, and every older tree', async () => {
  const log = await makeLog(70)
  for (let size = 1; size <= 70; size++) {
    const root = await computeRoot(size, log.readTile)
    for (let index = 0; index < size; index++) {
      const path = await proveInclusion(index, size, log.readTile)
      verifyInclusion({ index, size, leafHash: hashLeaf(writeUtf8(`record ${index}`)), path, root })
      assert.throws(() => verifyInclusion({ index, size, leafHash: hashLeaf(writeUtf8('forged')), path, root }), {
        code: 'log_inclusion',
      })
    }
    for (let oldSize = 1; oldSize <= size; oldSize++) {
      const oldRoot = await computeRoot(oldSize, log.readTile)
      const path = await proveConsistency(oldSize, size, log.readTile)
      verifyConsistency({ oldSize, oldRoot, newSize: size, newRoot: root, path })
      if (path.length === 0) continue
      for (const changed of [path.slice(1), path.toSpliced(-1, 1, EMPTY_ROOT), [...path, EMPTY_ROOT]]) {
        assert.throws(() => verifyConsistency({ oldSize, oldRoot, newSize: size, newRoot: root, path: changed }), {
          code: 'log_consistency',
        })
      }
    }
  }
})

test('a log in which an entry was replaced, dropped or put in is not consistent with the old one', async () => {
  const honest = await makeLog(40)
  const entries = listRecords(0, 60)
  for (const forged of [
    entries.toSpliced(12, 1, writeUtf8('forged')),
    entries.toSpliced(5, 1),
    entries.toSpliced(10, 0, writeUtf8('inserted')),
  ]) {
    const log = new MemoryLog()
    await log.append(forged)
    const path = await proveConsistency(40, log.size, log.readTile)
    assert.throws(
      () => verifyConsistency({ oldSize: 40, oldRoot: honest.root, newSize: log.size, newRoot: log.root, path }),
      { code: 'log_consistency' },
    )
  }
})

test('a proof reads each tile once, and few of them', async () => {
  const log = await makeLog(70_000)
  log.reads = 0
  await proveInclusion(12_345, 70_000, log.readTile)
  assert.ok(log.reads <= 5, `${log.reads} tiles`)
})

test('storage that gives other lengths than were asked for is refused', async () => {
  const log = await makeLog(300)
  const tooShort = async (level: number, index: number, width: number) =>
    (await log.readTile(level, index, width)).slice(0, -32)
  const tooLong = async () => new Uint8Array(8192 + 32)
  for (const readTile of [tooShort, tooLong]) {
    await assert.rejects(computeRoot(300, readTile), { name: 'ProofError', code: 'log_tile' })
    await assert.rejects(proveInclusion(7, 300, readTile), { code: 'log_tile' })
    await assert.rejects(proveConsistency(7, 300, readTile), { code: 'log_tile' })
    await assert.rejects(appendLeaves(300, [EMPTY_ROOT], readTile), { code: 'log_tile' })
  }
  await assert.rejects(appendLeaves(0, [new Uint8Array(31)], log.readTile), { code: 'log_tile' })
})

test('sizes and indexes that no tree has are refused before anything is read', async () => {
  const { readTile } = new MemoryLog()
  for (const size of [-1, 0.5, Number.NaN, 2 ** 53]) {
    await assert.rejects(computeRoot(size, readTile), { code: 'log_range' })
    await assert.rejects(appendLeaves(size, [], readTile), { code: 'log_range' })
    await assert.rejects(proveInclusion(size, 9, readTile), { code: 'log_range' })
    await assert.rejects(proveConsistency(size, 9, readTile), { code: 'log_range' })
    await assert.rejects(proveConsistency(0, size, readTile), { code: 'log_range' })
  }
  await assert.rejects(proveInclusion(0, 0, readTile), { code: 'log_range' })
  await assert.rejects(proveConsistency(2, 1, readTile), { code: 'log_range' })
  await assert.rejects(appendLeaves(2 ** 53 - 1, [EMPTY_ROOT], readTile), { code: 'log_range' })
})

test('a path that is not written the one way is refused', () => {
  const paths = [
    '',
    'tile/0/0',
    'tile/0/00',
    'tile/0/0000',
    'tile/00/000',
    'tile/01/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/x000/000',
    'tile/0/x000/x001/000',
    'tile/0/001/000',
    'tile/0/x001',
    'tile/0/x001/',
    'tile/0/X001/000',
    'tile/0/000.p/0',
    'tile/0/000.p/00',
    'tile/0/000.p/01',
    'tile/0/000.p/256',
    'tile/0/000.p/257',
    'tile/0/000.p/999',
    'tile/0/000.p/',
    'tile/0/000.p',
    'tile/0/000\n',
    ' tile/0/000',
    '/tile/0/000',
    'tile/0/000/',
    'tile/0/٠٠٠',
    'tile/x001/000',
    `tile/0/x009/x007/x199/x254/x740/992`,
    `tile/0/${'x001/'.repeat(1000)}000`,
    'tile//000',
    'tile/0/../000',
  ]
  for (const path of paths) {
    assert.throws(() => parseTilePath(path), { name: 'ProofError', code: 'log_tile' }, path)
    const entries = path.replace('tile/0/', 'tile/entries/')
    assert.throws(() => parseEntriesPath(entries), { name: 'ProofError', code: 'log_tile' }, entries)
  }
  assert.throws(() => parseTilePath('tile/entries/000'), { code: 'log_tile' })
  assert.throws(() => parseEntriesPath('tile/0/000'), { code: 'log_tile' })
})

test('a path is written for a tile that can be, and for no other', () => {
  const last = 2 ** 53 - 1
  assert.deepEqual(parseTilePath(formatTilePath(63, last, 255)), { level: 63, index: last, width: 255 })
  for (const [level, index, width] of [
    [64, 0, 1],
    [-1, 0, 1],
    [0.5, 0, 1],
    [0, -1, 1],
    [0, 2 ** 53, 1],
    [0, 0, 0],
    [0, 0, 257],
    [0, 0, 1.5],
  ] as const) {
    assert.throws(() => formatTilePath(level, index, width), { code: 'log_tile' }, `${level} ${index} ${width}`)
  }
  assert.throws(() => formatEntriesPath(0, 0), { code: 'log_tile' })
})

test('a bundle holds entries of every length there may be, and no more than a tile', () => {
  const entries = [new Uint8Array(), new Uint8Array(MAX_ENTRY_BYTES).fill(7), Uint8Array.of(1)]
  const read = parseEntryBundle(formatEntryBundle(entries))
  assert.ok(read.length === 3 && read.every((entry, i) => areEqual(entry, entries[i]!)))
  const full = Array.from({ length: 256 }, () => Uint8Array.of(1))
  assert.equal(parseEntryBundle(formatEntryBundle(full)).length, 256)
  for (const wrong of [[], [...full, full[0]!], [new Uint8Array(MAX_ENTRY_BYTES + 1)]]) {
    assert.throws(() => formatEntryBundle(wrong), { code: 'log_tile' })
  }
})

test('a bundle that is empty, cut, or longer than a tile is refused', () => {
  const bundle = formatEntryBundle([Uint8Array.of(1, 2, 3), Uint8Array.of(4)])
  for (const length of [0, 1, 2, 4, 6, 7]) {
    assert.throws(
      () => parseEntryBundle(bundle.slice(0, length)),
      { name: 'ProofError', code: 'log_tile' },
      `${length}`,
    )
  }
  assert.throws(() => parseEntryBundle(new Uint8Array(2 * 257)), { code: 'log_tile' })
})
