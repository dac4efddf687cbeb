import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs, { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { listCopies } from '../../testing/fetched-copies.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { openIncoming } from '../incoming.ts'
import { openFetchedFiles, type FetchedOptions } from './fetched-files.ts'

const PROGRAM = fileURLToPath(new URL('../../testing/fill-fetched.ts', import.meta.url))
/** The small disk is mounted where nobody but the program sees it, and is gone when it ends. */
const MOUNT_AND_RUN = 'mount -t tmpfs -o size=2m tmpfs "$1" && shift && exec "$@"'
const FILE_BYTES = 1000

async function makeRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-fetched-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

/** Copies as one process has them; several may share a root. */
async function openProcess(root: string, more: Partial<FetchedOptions> = {}) {
  const incoming = await openIncoming(root)
  const faults: string[] = []
  let fetched = 0
  const makeObject = (key: string, bytes: number) => Buffer.alloc(bytes, key)
  const files = await openFetchedFiles({
    folder: join(root, 'fetched'),
    incoming: { temporaryPath: incoming.temporaryPath, freeBytes: async () => 1e12 },
    limitBytes: 1 << 30,
    fetch: async (key, { size }) => {
      fetched += 1
      return Readable.from([makeObject(key, size)])
    },
    logger: { fail: (event) => void faults.push(event) },
    ...more,
  })
  return {
    faults,
    forget: files.forget,
    countFetched: () => fetched,
    read: async (key: string, size = FILE_BYTES) => {
      const bytes = makeObject(key, size)
      const known = { size, sha256: createHash('sha256').update(bytes).digest('hex') }
      const read = await files.read(key, { size, tag: 'tag', changedAt: 0 }, known)
      assert.ok(bytes.equals(read instanceof Readable ? await buffer(read) : read))
    },
  }
}

/** Counts the folders that are listed from now on. */
function watchListings(t: TestContext): () => number {
  let listings = 0
  const real = fs.readdir
  t.mock.method(fs, 'readdir', (...asked: Parameters<typeof real>) => {
    listings += 1
    return real(...asked)
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  return () => listings
}

test('19.12 copies of a bucket’s files leave half of a small disk free, and go where it is full', async (t) => {
  const canMount = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0
  if (!canMount) {
    assert.notEqual(process.env['CI'], 'true', 'a private mount is possible')
    return t.skip('mounting a small disk needs root and unshare')
  }
  const small = await makeRoot(t)
  const program = [process.execPath, PROGRAM, small]
  const ran = spawnSync('unshare', ['--mount', 'sh', '-c', MOUNT_AND_RUN, 'sh', small, ...program], {
    encoding: 'utf8',
  })
  assert.equal(ran.status, 0, ran.stderr)
  const told = JSON.parse(ran.stdout)
  assert.deepEqual([told.whole, told.isWholeOnFullDisk], [40, true])
  assert.ok(told.kept >= 5 && told.kept <= 10, `${told.kept} copies of 100 kB on 2 MiB`)
  assert.ok(told.free >= 1_000_000, `${told.free} bytes free`)
})

test('19.12 who reads waits for no room to be made, and a fault at making it spoils no reading', async (t) => {
  const root = await makeRoot(t)
  const incoming = await openIncoming(root)
  let freeBytes = async () => 1e12
  const { read, faults } = await openProcess(root, { incoming: { ...incoming, freeBytes: () => freeBytes() } })
  freeBytes = () => Promise.reject(new Error('EIO'))
  await read('one')
  await waitUntil(() => faults.length > 0)
  assert.deepEqual(faults, ['copies of stored files could not be removed'])
  freeBytes = () => new Promise(() => {})
  await read('two')
  await read('three')
})

test('19.12 copies are walked over where they are too many, not for each one that comes or goes', async (t) => {
  const root = await makeRoot(t)
  const names = Array.from({ length: 60 }, (_none, at) => `of/${at}`)
  const { read, forget } = await openProcess(root, { limitBytes: 50 * FILE_BYTES })
  const countListings = watchListings(t)
  for (const name of names.slice(0, 50)) await read(name)
  assert.equal(countListings(), 0)
  await forget('of/0')
  assert.equal(countListings(), 1, 'one of many small folders')
  for (const name of names.slice(50)) await read(name)
  const left = await waitUntil(async () => {
    const copies = await listCopies(root)
    return copies.length <= 50 && copies
  })
  assert.ok(left.length >= 44 && !left.includes('of_1') && left.includes('of_59'), left.join())
})

test('19.12 processes that share a folder of copies keep it bounded together, and remove each other’s', async (t) => {
  const root = await makeRoot(t)
  const more = { limitBytes: 20 * FILE_BYTES, countEveryMs: 0 }
  const [one, other] = [await openProcess(root, more), await openProcess(root, more)]
  for (let at = 0; at < 15; at += 1) await Promise.all([one.read(`a/${at}`), other.read(`b/${at}`)])
  await waitUntil(async () => (await listCopies(root)).length <= 20)
  await one.read('shared')
  await other.forget('shared')
  assert.ok(!(await listCopies(root)).includes('shared'))
  const before = one.countFetched()
  await one.read('shared')
  assert.equal(one.countFetched(), before + 1)
  assert.deepEqual([...one.faults, ...other.faults], [])
})

test('19.12 what is larger than all that may be kept is given out, and takes no other’s place', async (t) => {
  const root = await makeRoot(t)
  const { read } = await openProcess(root, { limitBytes: 5 * FILE_BYTES })
  await read('small')
  await read('large', 10 * FILE_BYTES)
  assert.deepEqual(await listCopies(root), ['small'])
})

test('19.12 copies of before count from the start, and those that nobody would find are removed', async (t) => {
  const root = await makeRoot(t)
  const { read } = await openProcess(root)
  for (let at = 0; at < 10; at += 1) await read(`of/${at}`)
  await writeFile(join(root, 'fetched', 'originals_one~abc'), 'of an earlier version')
  await openProcess(root, { limitBytes: 5 * FILE_BYTES })
  assert.equal((await listCopies(root)).length, 4)
  assert.ok((await readdir(join(root, 'fetched'))).every((name) => name.length === 2))
})
