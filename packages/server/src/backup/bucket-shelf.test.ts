import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { forEachAtOnce } from '../blobs/for-each-at-once.ts'
import { InUse } from '../config/start-failure.ts'
import { lockFolder } from '../start/data-lock.ts'
import { startS3Proxy } from '../testing/s3-proxy.ts'
import { makeTestBucket, skipWithoutS3, type TestBucket } from '../testing/s3.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openBucketShelf } from './bucket-shelf.ts'
import { openOrMakeTarget } from './open-target.ts'
import { pruneBackups } from './prune-backups.ts'
import { NotOnShelf } from './shelf.ts'

const skip = { skip: skipWithoutS3 }
const open = (bucket: TestBucket, silentMs?: number, beatMs?: number) =>
  openBucketShelf(bucket.settings, lockFolder, { silentMs, beatMs })

test('18.41 a folder that was made in the console of a store is an empty place', skip, async () => {
  const bucket = await makeTestBucket('backups')
  await bucket.write('backups/', new Uint8Array())
  const shelf = await open(bucket)
  const lock = await shelf.lock()
  assert.equal(await shelf.isEmpty(), true)
  await openOrMakeTarget(shelf, undefined)
  await lock.close()
  assert.deepEqual(await bucket.list(), ['backups/', 'backups/backup.json'])
  await bucket.write('other/', new Uint8Array())
  await bucket.write('other/holiday.jpg', new Uint8Array([1]))
  const other = await openBucketShelf({ ...bucket.settings, prefix: 'other/' }, lockFolder)
  assert.equal(await other.isEmpty(), false)
})

test('18.41 what others put among the backups of a bucket keeps older ones from nothing', skip, async () => {
  const bucket = await makeTestBucket('backups')
  const shelf = await open(bucket)
  const target = await openOrMakeTarget(shelf, undefined)
  const strange = [
    'files/',
    'files/originals/',
    'files/a b',
    'files/.DS_Store',
    'snapshots/',
    'snapshots/\u00e9/x',
    'files/..//x',
  ]
  for (const name of strange) await bucket.write(`backups/${name}`, new Uint8Array())
  await shelf.write('files/left/over', [Readable.from([Buffer.from('left')])])
  assert.equal(await text(await shelf.read('files/left/over')), 'left')
  const snapshot = 'snapshots/2026-01-02T03-04-05-006Z/manifest'
  const saved = { size: 0, sha256: '0'.repeat(64) }
  const manifest = {
    v: 1,
    made_at: '2026-01-02T03:04:05Z',
    version: '1',
    database: saved,
    files: [],
    spoiled: [],
    keys: [],
  }
  await shelf.write(snapshot, [Readable.from([Buffer.from(JSON.stringify(manifest))])])
  assert.equal(await pruneBackups(target, 1), 0)
  assert.deepEqual(
    (await bucket.list()).toSorted(),
    ['backup.json', snapshot, ...strange].map((name) => `backups/${name}`).toSorted(),
  )
})

test(
  '18.17 of two that take over what a crash left of a lock one is refused, however slow the other is',
  skip,
  async (t) => {
    const bucket = await makeTestBucket()
    await bucket.write('lock', Buffer.from('left'))
    const proxy = await startS3Proxy(t, bucket.settings.endpoint ?? '')
    const settings = { ...bucket.settings, endpoint: proxy.endpoint }
    proxy.decide = (method) => (method === 'DELETE' ? 'slow' : 'pass')
    const [one, other] = [await open(bucket, 0), await openBucketShelf(settings, lockFolder, { silentMs: 0 })]
    const slow = other.lock()
    await waitUntil(() => proxy.seen.some(({ method }) => method === 'DELETE'))
    const locks = await Promise.allSettled([one.lock(), slow])
    const held = locks.flatMap((lock) => (lock.status === 'fulfilled' ? [lock.value] : []))
    assert.equal(held.length, 1)
    await held[0]!.mustHold()
    await held[0]!.close()
    assert.deepEqual(await bucket.list(), [])
  },
)

test('18.17 a lock that is let go of stays gone, also while its holder says that they still work', skip, async () => {
  const bucket = await makeTestBucket()
  const shelf = await open(bucket, undefined, 1)
  for (let times = 0; times < 10; times++) {
    const lock = await shelf.lock()
    await sleep(20 * Math.random())
    await lock.close()
    await sleep(100)
    assert.deepEqual(await bucket.list(), [])
  }
})

test(
  '18.17 a place in a bucket at which somebody is at work is refused, also of two who begin at once',
  skip,
  async () => {
    const bucket = await makeTestBucket('backups')
    const [one, other] = [await open(bucket), await open(bucket)]
    const lock = await one.lock()
    await assert.rejects(other.lock(), InUse)
    await lock.mustHold()
    await lock.close()
    const locks = await Promise.allSettled([one.lock(), other.lock(), one.lock()])
    const held = locks.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const refused = locks.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
    assert.equal(held.length, 1)
    assert.ok(refused.every((reason) => reason instanceof InUse))
    await held[0]!.close()
    assert.deepEqual(await bucket.list(), [])
  },
)

test(
  '18.17 whoever was not heard of for too long writes nothing more, and leaves the lock of who took over alone',
  skip,
  async () => {
    const bucket = await makeTestBucket()
    // It says so again only after the other has taken over.
    const slow = await (await open(bucket, undefined, 1500)).lock()
    await slow.mustHold()
    const quick = await (await open(bucket, 0, 60_000)).lock()
    const mine = await bucket.read('lock')
    await assert.rejects(slow.mustHold(), /Another backup took over/)
    assert.deepEqual(await bucket.read('lock'), mine)
    await slow.close()
    assert.deepEqual(await bucket.read('lock'), mine)
    await quick.mustHold()
    await quick.close()
    assert.deepEqual(await bucket.list(), [])
  },
)

test('what a backup that was broken off left under a path gives way to what is written there now', skip, async () => {
  const bucket = await makeTestBucket()
  const shelf = await open(bucket)
  for (const words of ['left', 'new, and longer']) {
    await shelf.write('files/one', [Readable.from([Buffer.from(words)])])
    assert.equal(await text(await shelf.read('files/one')), words)
  }
  assert.deepEqual([await shelf.isThere('files/one'), await shelf.isThere('files/two')], [true, false])
  await assert.rejects(shelf.read('files/two'), NotOnShelf)
  await shelf.remove('files/one')
  await shelf.remove('files/one')
  assert.equal(await shelf.isEmpty(), true)
})

test('more than a store lists at once are all found', skip, async () => {
  const bucket = await makeTestBucket('backups')
  const shelf = await open(bucket)
  const names = Array.from({ length: 1001 }, (_, n) => `files/${String(n).padStart(4, '0')}`)
  await forEachAtOnce(names, 16, (name) => bucket.write(`backups/${name}`, new Uint8Array()))
  assert.deepEqual((await shelf.list('files')).toSorted(), names)
})
