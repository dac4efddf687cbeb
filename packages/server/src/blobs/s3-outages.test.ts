import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { AppError } from '../errors.ts'
import { openLogger } from '../logger.ts'
import { startS3Proxy, type Fate } from '../testing/s3-proxy.ts'
import { makeTestBucket, skipWithoutS3 } from '../testing/s3.ts'
import { openTestS3 } from '../testing/stores.ts'
import type { BlobStore } from './blob-store.ts'

const MEBIBYTE = 1024 * 1024
const skip = { skip: skipWithoutS3 }
const unavailable = (error: unknown) => error instanceof AppError && error.code === 'storage_unavailable'
const fingerprint = (bytes: Uint8Array) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/** A store that is reached through a proxy, which begins to do harm when it is told. */
async function openThroughProxy(t: TestContext, patienceMs?: number) {
  const bucket = await makeTestBucket()
  const proxy = await startS3Proxy(t, bucket.settings.endpoint ?? '')
  const options = { endpoint: proxy.endpoint, ...(patienceMs !== undefined && { patienceMs }) }
  const store = await openTestS3(t, bucket, options)
  return { ...store, bucket, proxy }
}

/** The first so many requests of each method and path fare so, and the next passes. */
function firstOfEach(count: number, fate: Fate): (method: string, path: string) => Fate {
  const times = new Map<string, number>()
  return (method, path) => {
    const kind = `${method} ${path.replace(/uploadId=[^&]*/, '')}`
    const before = times.get(kind) ?? 0
    times.set(kind, before + 1)
    return before < count ? fate : 'pass'
  }
}

async function readKnown(blobs: BlobStore, key: string, bytes: Uint8Array): Promise<Buffer> {
  const known = await blobs.readKnown(key, fingerprint(bytes))
  return known instanceof Readable ? buffer(known) : Buffer.from(known)
}

for (const fate of ['busy', 'reset', 'lose the answer'] as const)
  test(
    `19.14 a store that fails for a moment is asked again, and nothing is lost or doubled (${fate})`,
    skip,
    async (t) => {
      const { put, blobs, proxy, bucket } = await openThroughProxy(t)
      const [small, large] = [randomBytes(1000), randomBytes(7 * MEBIBYTE)]
      proxy.decide = firstOfEach(2, fate)
      await put('small', small)
      await put('large', large)
      await blobs.putAppended('large-more', 'large', Buffer.from('more'))
      assert.deepEqual(Buffer.from(await bucket.read('small')), small)
      assert.deepEqual(Buffer.from(await bucket.read('large')), large)
      proxy.decide = firstOfEach(2, fate)
      assert.ok((await readKnown(blobs, 'large', large)).equals(large))
      assert.equal(await blobs.size('large-more'), large.length + 4)
      await blobs.remove('small')
      assert.deepEqual(await bucket.list(), ['large', 'large-more'])
      assert.ok(proxy.seen.filter((one) => one.fate === fate).length > 10)
      assert.deepEqual(await readdir(blobs.incomingDir), [])
    },
  )

for (const fate of ['busy', 'reset', 'never answer'] as const)
  test(
    `19.15 a store that stays away is told as unavailable within its time, to whoever asks (${fate})`,
    skip,
    async (t) => {
      const { put, blobs, proxy, bucket } = await openThroughProxy(t, 1500)
      const bytes = randomBytes(1000)
      await put('there', bytes)
      proxy.decide = () => fate
      const asked: (() => Promise<unknown>)[] = [
        () => put('one', bytes),
        () => put('large', randomBytes(6 * MEBIBYTE)),
        () => blobs.putAppended('two', 'there', bytes),
        () => blobs.size('there'),
        () => blobs.read('there'),
        () => readKnown(blobs, 'there', bytes),
        () => blobs.openLocal('there'),
        () => blobs.remove('there'),
        () => blobs.check(),
      ]
      const begun = performance.now()
      for (const done of await Promise.allSettled(asked.map((ask) => ask()))) {
        assert.ok(done.status === 'rejected' && unavailable(done.reason), done.status)
        const lines: string[] = []
        openLogger('error', (line) => lines.push(line)).fail('it failed', done.reason)
        assert.match(lines[0] ?? '', /"S3Failure","message":"\w+: \w+/)
        assert.ok(!lines[0]?.includes(bucket.settings.credentials.secretAccessKey))
      }
      assert.ok(performance.now() - begun < 15_000, 'each within its time')
      assert.deepEqual(await readdir(blobs.incomingDir), [])
      proxy.decide = () => 'pass'
      assert.ok((await readKnown(blobs, 'there', bytes)).equals(bytes), 'it goes on when the store is back')
    },
  )

test('19.16 a connection that breaks in the middle of a file is taken up where it broke', skip, async (t) => {
  const { put, blobs, proxy } = await openThroughProxy(t)
  const bytes = randomBytes(3 * MEBIBYTE)
  await put('one', bytes)
  async function readThrough(fate: Fate, count: number, range?: { start: number; end: number }): Promise<Buffer> {
    let times = 0
    proxy.decide = (method) => (method === 'GET' && times++ < count ? fate : 'pass')
    const bytesRead = await buffer(await blobs.read('one', range))
    assert.equal(times, count + 1)
    return bytesRead
  }
  const part = { start: 1_000_000, end: 2_999_999 }
  assert.ok((await readThrough('break in the middle', 3)).equals(bytes))
  assert.ok((await readThrough('break in the middle', 3, part)).equals(bytes.subarray(1_000_000, 3_000_000)))
  assert.ok((await readThrough('silent in the middle', 1)).equals(bytes))
})

test(
  '19.17 a file that cannot be read to its end is an error, never a part that passes for the whole',
  skip,
  async (t) => {
    const { put, blobs, proxy } = await openThroughProxy(t)
    const bytes = randomBytes(3 * MEBIBYTE)
    await put('one', bytes)
    proxy.decide = (method) => (method === 'GET' ? 'break in the middle' : 'pass')
    await assert.rejects(async () => buffer(await blobs.read('one')), unavailable)
    await assert.rejects(readKnown(blobs, 'one', bytes), unavailable)
    await assert.rejects(blobs.openLocal('one'), unavailable)
    assert.deepEqual(await readdir(blobs.incomingDir), [])
  },
)

test('19.18 an object that is exchanged while it is read is never mixed with the one before', skip, async (t) => {
  const { put, blobs, proxy, bucket } = await openThroughProxy(t)
  const [bytes, other] = [randomBytes(3 * MEBIBYTE), randomBytes(3 * MEBIBYTE)]
  await put('one', bytes)
  const reading = await blobs.read('one')
  let times = 0
  proxy.decide = (method) => (method === 'GET' && times++ === 0 ? 'break in the middle' : 'pass')
  const broken = await blobs.read('one')
  await bucket.write('one', other)
  await assert.rejects(buffer(broken), unavailable)
  reading.destroy()
})

test('19.24 a large file takes the place of another in parts, however slow the line is', skip, async (t) => {
  // Far less than all of it takes, and more than a part.
  const { put, blobs, proxy, bucket } = await openThroughProxy(t, 6000)
  const [spoiled, whole] = [randomBytes(12 * MEBIBYTE), randomBytes(12 * MEBIBYTE)]
  await put('one', spoiled)
  proxy.seen.length = 0
  proxy.decide = (method) => (method === 'PUT' ? 'slow' : 'pass')
  const path = blobs.temporaryPath()
  await writeFile(path, whole)
  const begun = performance.now()
  await blobs.replaceFile('one', path)
  assert.ok(performance.now() - begun > 6000, 'it took longer than any one request may')
  assert.equal(proxy.seen.filter(({ method, path: to }) => method === 'PUT' && to.includes('partNumber')).length, 3)
  assert.ok((await readKnown(blobs, 'one', whole)).equals(whole))
  assert.deepEqual([await bucket.listUnfinished(), await readdir(blobs.incomingDir)], [[], []])

  proxy.decide = firstOfEach(2, 'lose the answer')
  await writeFile(path, spoiled)
  await blobs.replaceFile('one', path)
  assert.ok((await readKnown(blobs, 'one', spoiled)).equals(spoiled), 'also when answers are lost')
})

test(
  '19.25 a part that takes longer than a store is waited for is stored, as long as bytes of it go out',
  skip,
  async (t) => {
    const { put, proxy, bucket } = await openThroughProxy(t, 3000)
    const bytes = randomBytes(7 * MEBIBYTE)
    await put('first', randomBytes(10))
    proxy.decide = (method) => (method === 'PUT' ? 'narrow' : 'pass')
    await put('one', bytes)
    assert.ok(Buffer.from(await bucket.read('one')).equals(bytes))
    assert.equal(proxy.seen.filter(({ fate }) => fate === 'narrow').length, 2, 'each part is sent once')
  },
)
