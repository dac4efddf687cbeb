import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { test, type TestContext } from 'node:test'
import { AppError } from '../errors.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openDiskStore } from './disk.ts'
import { forEachAtOnce } from './for-each-at-once.ts'
import { holdsBytes } from './holds-bytes.ts'
import { explainUnread, readApart, ReadFailure } from './read-apart.ts'

const fingerprint = (bytes: string) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

async function openStore(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-reading-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const blobs = await openDiskStore(root)
  return {
    root,
    blobs,
    put: async (key: string, bytes: string) => {
      const path = blobs.temporaryPath()
      await writeFile(path, bytes)
      await blobs.putFile(key, path)
    },
    /** How many files of this store the process has open. */
    countOpen: async () => {
      const open = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      )
      return open.filter((path) => path.startsWith(root)).length
    },
  }
}

test('whoever reads leaves no file open: to the end, from memory, or not at all', async (t) => {
  const { blobs, put, countOpen } = await openStore(t)
  await put('a/file', 'bytes')
  const known = fingerprint('bytes')
  for (let n = 0; n < 6; n += 1) {
    const bytes = await blobs.readKnown('a/file', known)
    assert.equal((bytes instanceof Readable ? await buffer(bytes) : Buffer.from(bytes)).toString(), 'bytes')
    assert.equal(await holdsBytes(blobs, 'a/file', known), true)
  }
  for (let n = 0; n < 3; n += 1) {
    await assert.rejects(blobs.readKnown('a/file', fingerprint('other')), { code: 'file_altered' })
    assert.equal(await holdsBytes(blobs, 'a/file', fingerprint('other')), false)
    assert.equal(await holdsBytes(blobs, 'a/file', fingerprint('longer than it')), false)
  }
  await put('a/second', 'bytes')
  assert.equal(await holdsBytes(blobs, 'a/second', known), true)
  // Not for long: what nobody closes is closed all the same, once it is collected as garbage.
  for (let n = 0; n < 40 && (await countOpen()) > 0; n += 1) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(await countOpen(), 0)
})

test('a part of a file is the same from the disk and from memory, both ends with it', async (t) => {
  const { blobs, put } = await openStore(t)
  await put('a/file', '0123456789')
  for (let n = 0; n < 6; n += 1) {
    const bytes = await blobs.readKnown('a/file', fingerprint('0123456789'), { start: 2, end: 4 })
    assert.equal((bytes instanceof Readable ? await buffer(bytes) : Buffer.from(bytes)).toString(), '234')
  }
})

test('what says nothing about the bytes is not taken for other bytes', async (t) => {
  const { blobs } = await openStore(t)
  await assert.rejects(holdsBytes(blobs, 'a/none', fingerprint('bytes')), { code: 'file_missing' })
})

test('of many that are done at once none is begun after one has failed, and those that were are waited for', async () => {
  const [begun, ended]: [number[], number[]] = [[], []]
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const all = forEachAtOnce([1, 2, 3, 4, 5, 6], 3, async (n) => {
    begun.push(n)
    if (n === 2) throw new Error('the second')
    await isReleased
    if (n === 3) throw new Error('the third')
    ended.push(n)
  })
  let isOver = false
  const over = assert.rejects(all, /the (second|third)/).finally(() => (isOver = true))
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual([begun, isOver], [[1, 2, 3], false])
  release()
  await over
  assert.deepEqual([begun, ended], [[1, 2, 3], [1]])
  const done: number[] = []
  await forEachAtOnce([1, 2, 3, 4], 2, async (n) => void done.push(n))
  assert.deepEqual(done, [1, 2, 3, 4])
})

test('what cannot be read is told from what it goes to, at its beginning and in its middle', async () => {
  const cause = new Error('a bad spot')
  const breakOff = async () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('first')
        throw cause
      })(),
    )
  const swallow = () => new Writable({ write: (_piece, _encoding, done) => done() })
  const isOfReading = (error: unknown) => error instanceof ReadFailure && error.cause === cause
  await assert.rejects(
    readApart(() => Promise.reject(cause)),
    isOfReading,
  )
  await assert.rejects(pipeline(await readApart(breakOff), swallow()), isOfReading)
  const full = new Error('the disk is full')
  const isFull = new Writable({ write: (_piece, _encoding, done) => done(full) })
  await assert.rejects(
    pipeline(await readApart(async () => Readable.from([Buffer.from('all')])), isFull),
    (error) => error === full,
  )
})

test('what was opened to be read is closed, also where nobody begins', async () => {
  const source = Readable.from([Buffer.from('never')])
  const apart = await readApart(async () => source)
  apart.destroy()
  await waitUntil(() => source.destroyed)
})

test('a file that cannot be read is missing or unreadable, and neither where the whole store is away', async () => {
  const away = new AppError('storage_unavailable')
  const well = { check: async () => {} }
  const ill = { check: () => Promise.reject(away) }
  const failure = (cause: unknown) => new ReadFailure('it cannot be read', { cause })
  assert.equal(await explainUnread(well, failure(new AppError('file_missing'))), 'missing')
  assert.equal(await explainUnread(well, failure(new Error('EIO'))), 'unreadable')
  await assert.rejects(explainUnread(ill, failure(new Error('EIO'))), away)
  await assert.rejects(explainUnread(well, away), away)
})
