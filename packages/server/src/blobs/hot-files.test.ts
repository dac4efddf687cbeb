import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { type HotLimits, openHotFiles } from './hot-files.ts'

const LIMITS: HotLimits = { bytes: 250, fileBytes: 200, reads: 2, halvedEvery: 100 }
const fingerprint = (bytes: Uint8Array) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

async function openFiles(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-hot-'))
  t.after(() => rm(folder, { recursive: true }))
  const hot = openHotFiles(LIMITS)
  return {
    hot,
    write: async (name: string, length: number) => {
      const bytes = Buffer.alloc(length, name)
      await writeFile(join(folder, name), bytes)
      return { path: join(folder, name), bytes, ...fingerprint(bytes) }
    },
    keep: async (path: string, expected: { size: number; sha256: string }) => {
      const file = await open(path)
      try {
        return await hot.keep(path, file, expected)
      } finally {
        await file.close()
      }
    },
  }
}

test('a file that is read again comes from memory, as long as it stands on the disk as it was', async (t) => {
  const { hot, keep, write } = await openFiles(t)
  const one = await write('one', 100)
  assert.equal(hot.find(one.path, one), undefined)
  assert.equal(await keep(one.path, one), undefined, 'once is not often')
  assert.deepEqual(await keep(one.path, one), one.bytes)
  assert.deepEqual(hot.find(one.path, one), one.bytes)
  await writeFile(one.path, Buffer.alloc(100, 'other'))
  assert.equal(hot.find(one.path, one), undefined)
  await writeFile(one.path, one.bytes)
  assert.equal(hot.find(one.path, one), undefined, 'it is no more the file that was read')
  await keep(one.path, one)
  await rm(one.path)
  assert.equal(hot.find(one.path, one), undefined)
})

test('no other bytes than those asked for are ever given out', async (t) => {
  const { hot, keep, write } = await openFiles(t)
  const one = await write('one', 100)
  await keep(one.path, one)
  await writeFile(one.path, Buffer.alloc(100, 'other'))
  assert.equal(await keep(one.path, one), undefined, 'written to since it was looked at')
  await writeFile(one.path, one.bytes.subarray(0, 50))
  assert.equal(await keep(one.path, one), undefined, 'cut since it was looked at')
  await writeFile(one.path, one.bytes)
  await keep(one.path, one)
  assert.equal(hot.find(one.path, { ...one, sha256: '0'.repeat(64) }), undefined)
})

test('what is kept is bounded: large files never, and the one that was not asked for longest gives way to one that is asked for more often', async (t) => {
  const { hot, keep, write } = await openFiles(t)
  const files = [await write('a', 100), await write('b', 100), await write('c', 100)] as const
  const large = await write('large', 201)
  for (const file of [files[0], files[1], large]) {
    await keep(file.path, file)
    await keep(file.path, file)
  }
  assert.equal(hot.find(large.path, large), undefined)
  hot.find(files[0].path, files[0])
  await keep(files[2].path, files[2])
  assert.equal(await keep(files[2].path, files[2]), undefined, 'no more often than those that are kept')
  assert.deepEqual(await keep(files[2].path, files[2]), files[2].bytes)
  const found: boolean[] = []
  for (const file of files) found.push(hot.find(file.path, file) !== undefined)
  assert.deepEqual(found, [true, false, true])
})

test('who reads more files in turn than there is room for drives none of them out', async (t) => {
  const { hot, keep, write } = await openFiles(t)
  const files = [await write('a', 100), await write('b', 100), await write('c', 100)]
  const read = async (file: (typeof files)[number]) =>
    hot.find(file.path, file) ? 'found' : (await keep(file.path, file)) ? 'kept' : 'read'
  const turns: string[] = []
  for (let turn = 0; turn < 30; turn += 1) for (const file of files) turns.push(await read(file))
  assert.deepEqual(turns.slice(0, 6), ['read', 'read', 'read', 'kept', 'kept', 'read'])
  assert.deepEqual(new Set(turns.slice(6).filter((_, at) => at % 3 !== 2)), new Set(['found']))
  assert.deepEqual(new Set(turns.slice(6).filter((_, at) => at % 3 === 2)), new Set(['read']))
})

test('what was read often long ago gives way', async (t) => {
  const { hot, keep, write } = await openFiles(t)
  const [once, now] = [await write('a', 200), await write('b', 200)]
  for (let turn = 0; turn < 20; turn += 1) if (!hot.find(once.path, once)) await keep(once.path, once)
  let reads = 0
  while (!hot.find(now.path, now) && reads < 200) {
    reads += 1
    await keep(now.path, now)
  }
  assert.ok(reads > 3 && reads < 200, `${reads}`)
  assert.equal(hot.find(once.path, once), undefined)
})

test('a file that is larger than one may be is never kept, however often it is read', async (t) => {
  const { hot, keep, write } = await openFiles(t)
  const [large, fits] = [await write('large', 201), await write('fits', 200)]
  for (let n = 0; n < 4; n += 1) assert.equal(await keep(large.path, large), undefined)
  assert.equal(hot.find(large.path, large), undefined)
  await keep(fits.path, fits)
  assert.deepEqual(await keep(fits.path, fits), fits.bytes)
})
