import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { StartFailure } from '../config/start-failure.ts'
import { AppError } from '../errors.ts'
import { findCopies, listCopies } from '../testing/fetched-copies.ts'
import { openTestS3 } from '../testing/stores.ts'
import { makeTestBucket, skipWithoutS3 } from '../testing/s3.ts'
import { waitUntil } from '../testing/wait-until.ts'
import type { BlobStore } from './blob-store.ts'
import { openS3Store } from './s3.ts'

const MEBIBYTE = 1024 * 1024
const skip = { skip: skipWithoutS3 }
const fails = (code: string) => (error: unknown) => error instanceof AppError && error.code === code
const fingerprint = (bytes: Uint8Array) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})
async function readKnown(blobs: BlobStore, key: string, bytes: Uint8Array): Promise<Buffer> {
  const known = await blobs.readKnown(key, fingerprint(bytes))
  return known instanceof Readable ? buffer(known) : Buffer.from(known)
}

test('19.7 keys stand in the bucket as they are, behind the prefix of the setting', skip, async (t) => {
  const bucket = await makeTestBucket('of/desk')
  const { put } = await openTestS3(t, bucket)
  await put('originals/one', 'bytes')
  assert.deepEqual(await bucket.list(), ['of/desk/originals/one'])
})

test('19.8 other bytes never take the place of what a key has, small or large', skip, async (t) => {
  const bucket = await makeTestBucket()
  const { put, blobs } = await openTestS3(t, bucket)
  for (const size of [100, 6 * MEBIBYTE]) {
    const [first, second] = [randomBytes(size), randomBytes(size)]
    await put('one', first)
    await assert.rejects(put('one', second), fails('storage_unavailable'))
    await assert.rejects(put('one', second.subarray(1)), fails('storage_unavailable'))
    await assert.rejects(blobs.putAppended('one', 'one', Buffer.from('tail')), fails('storage_unavailable'))
    assert.deepEqual(Buffer.from(await bucket.read('one')), first)
    await blobs.remove('one')
  }
  assert.deepEqual(await bucket.listUnfinished(), [])
  assert.deepEqual(await readdir(blobs.incomingDir), [])
})

/** Puts bytes of one letter under one key, as fast as it can, and says whether it was told that they stand there. */
const WRITER = `
  import { writeFile } from 'node:fs/promises'
  import { openS3Store } from ${JSON.stringify(import.meta.resolve('./s3.ts'))}
  const { root, settings, letter, size, keys } = JSON.parse(process.argv[1])
  const blobs = await openS3Store(root, settings)
  process.stdout.write('ready\\n')
  await new Promise((resolve) => process.stdin.once('data', resolve))
  const told = []
  for (const key of keys) {
    const path = blobs.temporaryPath()
    await writeFile(path, Buffer.alloc(size, letter))
    told.push(await blobs.putFile(key, path).then(() => true, () => false))
  }
  process.stdout.write(JSON.stringify(told))
  process.exit()`

test(
  '19.9 of two processes that write one key at once, what stands is whole, and only its writer is told so',
  skip,
  async (t) => {
    const bucket = await makeTestBucket()
    const { root } = await openTestS3(t, bucket)
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    const size = 300_000
    const writers = ['x', 'y'].map((letter) => {
      const given = JSON.stringify({ root, settings: bucket.settings, letter, size, keys })
      const writer = spawn(process.execPath, ['--input-type=module', '-e', WRITER, given], {
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      return { letter, process: writer }
    })
    await Promise.all(writers.map(({ process: one }) => once(one.stdout, 'data')))
    const told = writers.map(async ({ letter, process: one }) => {
      one.stdin.write('go\n')
      return { letter, isTold: JSON.parse(await text(one.stdout)) as boolean[] }
    })
    const answers = await Promise.all(told)
    for (const [at, key] of keys.entries()) {
      const stands = Buffer.from(await bucket.read(key))
      const [letter = ''] = stands.toString('latin1', 0, 1)
      assert.ok(stands.equals(Buffer.alloc(size, letter)), 'whole, and of one of them')
      assert.deepEqual(
        answers.filter(({ isTold }) => isTold[at]).map((answer) => answer.letter),
        [letter],
      )
    }
  },
)

test('19.10 a bucket that is missing and credentials that are refused are one clear line', skip, async (t) => {
  const bucket = await makeTestBucket()
  const { root } = await openTestS3(t, bucket)
  const { settings } = bucket
  const { credentials } = settings
  const secretAccessKey = 'another-secret-than-that'
  const refused =
    /^The bucket of STORAGE_URL \(test-\w+ at http:\S+\) cannot be used: the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are refused$/
  const faults: [typeof settings, RegExp][] = [
    [
      { ...settings, bucket: 'not-there' },
      /^The bucket of STORAGE_URL \(not-there at http:\S+\) cannot be used: there is no such bucket$/,
    ],
    [{ ...settings, credentials: { ...credentials, secretAccessKey } }, refused],
    [{ ...settings, credentials: { ...credentials, accessKeyId: 'nobody' } }, refused],
    [{ ...settings, endpoint: 'http://127.0.0.1:1' }, /cannot be used: nothing answers there$/],
  ]
  for (const [wrong, line] of faults)
    await assert.rejects(openS3Store(root, wrong, { patienceMs: 1000 }), (error) => {
      assert.ok(error instanceof StartFailure)
      assert.match(error.message, line)
      const all = `${error.stack} ${JSON.stringify(error.cause)} ${(error.cause as Error).stack}`
      assert.ok(!all.includes(secretAccessKey) && !all.includes(credentials.secretAccessKey), 'no secret is told')
      return true
    })
})

test(
  '19.11 an object that was changed, cut or swapped behind our back is never given out, nor is a spoiled copy of it',
  skip,
  async (t) => {
    const bucket = await makeTestBucket()
    const { put, blobs, root } = await openTestS3(t, bucket)
    const bytes = randomBytes(2 * MEBIBYTE)
    const other = Buffer.from(bytes)
    other[1_000_000]! ^= 1
    for (const isReadBefore of [false, true]) {
      await put('one', bytes)
      if (isReadBefore) assert.ok((await readKnown(blobs, 'one', bytes)).equals(bytes))
      for (const spoiled of [other, bytes.subarray(0, -1), Buffer.concat([bytes, bytes]), randomBytes(0)]) {
        await bucket.write('one', spoiled)
        await assert.rejects(readKnown(blobs, 'one', bytes), fails('file_altered'))
      }
      await blobs.remove('one')
      await assert.rejects(readKnown(blobs, 'one', bytes), fails('file_missing'))
    }
    assert.deepEqual(await listCopies(root), [], 'what is removed leaves no copy')

    await put('two', bytes)
    await readKnown(blobs, 'two', bytes)
    const [copy = ''] = await findCopies(root)
    for (const spoiled of [other, bytes.subarray(0, -1), Buffer.alloc(0)]) {
      await writeFile(copy, spoiled)
      assert.ok((await readKnown(blobs, 'two', bytes)).equals(bytes), 'it is fetched anew')
    }
  },
)

test(
  '19.12 what was read once comes from the local disk, whose copies are bounded: the one not read longest goes',
  skip,
  async (t) => {
    const bucket = await makeTestBucket()
    const { put, blobs, root } = await openTestS3(t, bucket, { fetchedBytes: 25_000 })
    const files = new Map(['a', 'b', 'c'].map((key) => [key, randomBytes(10_000)]))
    for (const [key, bytes] of files) await put(key, bytes)
    const read = async (key: string) => {
      const bytes = files.get(key)!
      assert.ok((await readKnown(blobs, key, bytes)).equals(bytes))
    }
    for (const key of ['a', 'b', 'a', 'c']) await read(key)
    await waitUntil(async () => isDeepStrictEqual(await listCopies(root), ['a', 'c']))
    const [copy = ''] = await findCopies(root)
    const made = await stat(copy)
    for (const key of ['c', 'a', 'c', 'a']) await read(key)
    assert.equal((await stat(copy)).ino, made.ino, 'it was not fetched again')

    await put('large', Buffer.alloc(100_000))
    assert.equal((await readKnown(blobs, 'large', Buffer.alloc(100_000))).length, 100_000)
    assert.deepEqual(await listCopies(root), ['a', 'c'], 'what is larger than all is given out and not kept')
    await Promise.all(['a', 'a', 'b', 'c', 'b', 'a'].map(read))
  },
)

test('19.13 a check reads the objects themselves and leaves the copies of the server alone', skip, async (t) => {
  const bucket = await makeTestBucket()
  const { put, blobs, root } = await openTestS3(t, bucket)
  const bytes = randomBytes(1000)
  await put('one', bytes)
  await readKnown(blobs, 'one', bytes)
  const [copy = ''] = await findCopies(root)
  await writeFile(copy, 'spoiled')
  const checking = await openTestS3(t, bucket, { root, readsAnew: true })
  assert.ok((await readKnown(checking.blobs, 'one', bytes)).equals(bytes))
  assert.equal(await readFile(copy, 'utf8'), 'spoiled')
})
