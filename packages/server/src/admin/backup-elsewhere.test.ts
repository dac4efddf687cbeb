import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { openBucketShelf } from '../backup/bucket-shelf.ts'
import { readConfig } from '../config/config.ts'
import { holdPostgres } from '../db/copy/hold-postgres.ts'
import { openPostgres } from '../db/open.ts'
import { toEntry } from '../log/append-statement.ts'
import { enqueueEntry } from '../log/queries.ts'
import { lockFolder } from '../start/data-lock.ts'
import { openData } from '../start/open-data.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { must, openCollection, sendCollection } from '../testing/collections.ts'
import type { TestClient } from '../testing/client.ts'
import { askPostgres } from '../testing/private-postgres.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { makeTestBucket, skipWithoutS3, type TestBucket } from '../testing/s3.ts'
import { startS3Proxy } from '../testing/s3-proxy.ts'
import { ADMIN, run as runProgram } from '../testing/server-process.ts'
import { runCommand } from '../testing/stopped-installation.ts'
import { waitUntil } from '../testing/wait-until.ts'

const skip = hasRealPostgres ? skipWithoutS3 : 'PostgreSQL is not installed'
const SECRET = { BACKUP_PASSPHRASE: 'correct horse battery staple' }

describe('backups of PostgreSQL and of a bucket (postgres)', { skip }, () => {
  let root: string
  let server: TestServer
  let ada: TestClient
  let sam: TestClient
  let files: TestBucket
  /** Of the running server. */
  let settings: Record<string, string>
  /** Plain, of the database with one approval. */
  let backup: string
  const ends: (() => Promise<void>)[] = []

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'proofdesk-elsewhere-'))
    backup = join(root, 'backup')
    files = await makeTestBucket('desk')
    const real = await makeRealDatabase('migrated')
    ends.push(real.drop)
    server = await startTestServer({ after: (end) => ends.push(async () => end()) }, 'postgres', {
      database: { open: async () => openPostgres(real.url), drop: async () => {} },
      config: { storage: files.settings, databaseUrl: real.url },
    })
    const { dataDir, keysDir } = server.config
    settings = { DATA_DIR: dataDir, KEYS_DIR: keysDir, DATABASE_URL: real.url, ...files.environment }
    ada = await server.signIn('ada')
    sam = await server.signIn('sam', { is_staff: true })
    await approveOne()
    assert.deepEqual({ ...(await runCommand(['backup', backup], settings)), out: '' }, { status: 0, out: '', err: '' })
  })
  after(async () => {
    for (const end of ends.toReversed()) await end()
    await rm(root, { recursive: true, force: true })
  })

  async function approveOne(): Promise<void> {
    must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200)
    await server.settle()
  }

  async function makeTarget(t: TestContext): Promise<string> {
    const { url, drop } = await makeRealDatabase('empty')
    t.after(drop)
    return url
  }

  const folder = async (name: string) => {
    await mkdir(join(root, name))
    return join(root, name)
  }

  const mustBeWell = async (args: string[], environment: Record<string, string>) => {
    const told = await runCommand(args, environment)
    assert.deepEqual([told.status, told.err], [0, ''], args.join(' '))
    return told.out
  }

  test('18.13 18.15 a backup of PostgreSQL and a bucket is drilled, and restored onto both engines and both kinds of stores', async (t) => {
    const approving = approveOne()
    const target = join(root, 'while it runs')
    await mustBeWell(['backup', target], settings)
    await approving
    assert.match(await mustBeWell(['drill', target], settings), /[12] certified PDFs were checked: all are/)
    const { KEYS_DIR } = settings as { KEYS_DIR: string }
    const { STORAGE_URL: _, ...credentials } = files.environment
    const there = await makeTestBucket()
    for (const place of [
      { DATA_DIR: await folder('onto sqlite'), KEYS_DIR },
      { DATA_DIR: await folder('onto sqlite and s3'), KEYS_DIR, ...there.environment },
      { DATA_DIR: await folder('onto postgres'), KEYS_DIR, DATABASE_URL: await makeTarget(t) },
    ]) {
      await mustBeWell(['restore', backup], { ...credentials, ...place })
      assert.match(await mustBeWell(['check'], { ...credentials, ...place }), /1 certified PDFs were checked: all are/)
      const database = await openData(readConfig(place))
      assert.deepEqual(await database.db.selectFrom('sessions').selectAll().execute(), [])
      await database.close()
      assert.deepEqual(
        (await readdir(place.DATA_DIR)).filter((name) => name.startsWith('restoring')),
        [],
      )
    }
    assert.ok((await there.list()).some((key) => key.startsWith('certified/')))
  })

  test('18.13 who is restored onto PostgreSQL goes on: new ids, an approval, the same Proof IDs', async (t) => {
    const url = await makeTarget(t)
    const [dataDir, keysDir] = [await folder('goes on'), join(root, 'goes on keys')]
    const target = join(root, 'with keys')
    await mustBeWell(['backup', target], { ...settings, ...SECRET })
    const last = await openCollection(ada)
    await mustBeWell(['restore', target], { DATA_DIR: dataDir, KEYS_DIR: keysDir, DATABASE_URL: url, ...SECRET })
    const restored = await startTestServer(t, 'postgres', {
      database: { open: async () => openPostgres(url), drop: async () => {} },
      config: { dataDir, keysDir },
    })
    const [one, other] = [await restored.signIn('ada'), await restored.signIn('sam')]
    const id = await sendCollection(one)
    assert.equal(id, last)
    must(await other.post(`/admin/${id}/approve/`, { admin_desc: 'Fine' }), 200)
    await mustBeWell(['check'], { DATA_DIR: dataDir, KEYS_DIR: keysDir, DATABASE_URL: url })
  })

  test('18.14 18.19 a backup in a bucket is encrypted, drilled, pruned, and the same in a folder', async () => {
    const bucket = await makeTestBucket('backups')
    const { STORAGE_URL: there } = bucket.environment
    const sealed = { ...settings, ...SECRET }
    await mustBeWell(['backup', there], sealed)
    await approveOne()
    assert.match(await mustBeWell(['backup', there], sealed), /the database, [1-4] new files, [4-9]\d* saved before/)
    await mustBeWell(['drill', there], sealed)
    for (const key of await bucket.list()) {
      const bytes = Buffer.from(await bucket.read(key)).toString('latin1')
      assert.doesNotMatch(bytes, /%PDF-|SQLite format|ada@|BEGIN|PRIVATE/, key)
    }
    assert.match((await runCommand(['drill', there], settings)).err, /are encrypted: set BACKUP_PASSPHRASE/)
    assert.match(await mustBeWell(['backup', there, '--keep', '1'], sealed), /that were removed: 2\.$/)
    const names = await bucket.list()
    assert.equal(new Set(names.flatMap((name) => /snapshots\/([^/]+)/.exec(name)?.[1] ?? [])).size, 1)
    assert.ok(!names.includes('backups/lock'))
    const copy = await folder('copied')
    for (const name of names) {
      const path = join(copy, name.replace('backups/', ''))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, await bucket.read(name))
    }
    const place = { DATA_DIR: await folder('of the copy'), KEYS_DIR: join(root, 'of the copy keys'), ...SECRET }
    await mustBeWell(['restore', copy], place)
    await mustBeWell(['check'], place)
    const { head } = await readHeads(place.KEYS_DIR)
    const size = Number(/The log of (\d+) entries/.exec(await mustBeWell(['check'], place))?.[1])
    assert.ok(head <= size, `${head} is reached by ${size}`)

    const spoiled = (await bucket.list()).find((name) => name.includes('/files/certified/'))!
    const bytes = Buffer.from(await bucket.read(spoiled))
    bytes[100]! ^= 1
    await bucket.write(spoiled, bytes)
    const drilled = await runCommand(['drill', there], sealed)
    assert.equal(drilled.status, 1)
    assert.match(drilled.err, /^certified\/\w+: not what was saved$/m)
  })

  async function readHeads(keysDir: string): Promise<{ head: number }> {
    const heads = (await readdir(keysDir)).flatMap((name) => /^log\.head\.(\d+)$/.exec(name)?.[1] ?? [])
    return { head: Math.max(0, ...heads.map(Number)) }
  }

  test('18.16 a backup into a bucket that was killed leaves those before it whole, and is cleared away by the next', async (t) => {
    const bucket = await makeTestBucket()
    const proxy = await startS3Proxy(t, bucket.settings.endpoint ?? '')
    const { STORAGE_URL: there } = bucket.environment
    await mustBeWell(['backup', there], settings)
    await approveOne()
    const earlier = new Set(await bucket.list())
    let stored = 0
    // The lock, the database and one file.
    proxy.decide = (method) => (method === 'PUT' && (stored += 1) > 3 ? 'never answer' : 'pass')
    const through = new URL(there)
    through.searchParams.set('endpoint', proxy.endpoint)
    const broken = runProgram(ADMIN, ['backup', through.href], settings)
    await waitUntil(() => stored > 3)
    broken.child.kill('SIGKILL')
    await broken.ended
    const left = (await bucket.list()).filter((name) => !earlier.has(name))
    assert.ok(left.some((name) => name.endsWith('/database')) && left.includes('lock'))
    await mustBeWell(['drill', there], settings)
    assert.match((await runCommand(['backup', there], settings)).err, /^The bucket is in use: another backup/)
    const shelf = await openBucketShelf(bucket.settings, lockFolder, { silentMs: 0 })
    const lock = await shelf.lock()
    await lock.close()
    await mustBeWell(['backup', there, '--keep', '1'], settings)
    assert.deepEqual(
      (await bucket.list()).filter((name) => left.includes(name) && !name.startsWith('files/')),
      [],
    )
    await mustBeWell(['drill', there], settings)
  })

  test('18.16 a backup into a bucket that a signal ends leaves no copy on this machine, and no lock', async (t) => {
    const bucket = await makeTestBucket()
    const proxy = await startS3Proxy(t, bucket.settings.endpoint ?? '')
    const through = new URL(bucket.environment.STORAGE_URL)
    through.searchParams.set('endpoint', proxy.endpoint)
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const TMPDIR = await folder(`tmp ${signal}`)
      let stored = 0
      // The lock is stored.
      proxy.decide = (method) => (method === 'PUT' && (stored += 1) > 1 ? 'never answer' : 'pass')
      const broken = runProgram(ADMIN, ['backup', through.href], { ...settings, TMPDIR })
      await waitUntil(() => stored > 1)
      assert.notDeepEqual(await readdir(TMPDIR), [])
      broken.child.kill(signal)
      assert.notEqual(await broken.ended, 0)
      assert.deepEqual([await readdir(TMPDIR), await bucket.list()], [[], []])
    }
  })

  test('18.17 of two backups into one bucket at once one is refused; a lock that was taken over is noticed', async () => {
    const bucket = await makeTestBucket()
    const { STORAGE_URL: there } = bucket.environment
    const both = await Promise.all([runCommand(['backup', there], settings), runCommand(['backup', there], settings)])
    assert.equal(both.filter(({ status }) => status === 0).length, 1)
    assert.match(both.find(({ status }) => status === 75)!.err, /^The bucket is in use: another backup/)
    const shelf = await openBucketShelf(bucket.settings, lockFolder)
    const slow = await shelf.lock()
    const later = await (await openBucketShelf(bucket.settings, lockFolder, { silentMs: 0 })).lock()
    await assert.rejects(slow.mustHold(), /Another backup took over/)
    await later.mustHold()
    await slow.close()
    await later.mustHold()
    await later.close()
    assert.ok(!(await bucket.list()).includes('lock'))
  })

  test('18.17 a lock in a bucket is judged by the clock of the store, whatever time it is here', async (t) => {
    const bucket = await makeTestBucket()
    const shelf = await openBucketShelf(bucket.settings, lockFolder)
    const lock = await shelf.lock()
    // As far as a store takes what is signed by such a clock.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 12 * 60_000 })
    const late = await openBucketShelf(bucket.settings, lockFolder)
    await assert.rejects(late.lock(), /The bucket is in use: another backup/)
    t.mock.timers.reset()
    await lock.mustHold()
    await lock.close()
    await (await shelf.lock()).close()
  })

  test('18.20 what waits for its place in the log on PostgreSQL gets it when it is restored onto SQLite', async (t) => {
    const { KEYS_DIR } = settings as { KEYS_DIR: string }
    const url = await makeTarget(t)
    const place = { DATA_DIR: await folder('waiting'), KEYS_DIR, DATABASE_URL: url }
    await mustBeWell(['restore', backup], place)
    const size = Number(/The log of (\d+) entries/.exec(await mustBeWell(['check'], place))?.[1])
    const database = openPostgres(url)
    const statement = { kind: 'key', operation: 'add', use: 'doc', fingerprint: 'A'.repeat(43), time: 1 } as const
    await enqueueEntry(database.db, toEntry(statement))
    await database.close()
    await mustBeWell(['backup', join(root, 'with a queue')], place)
    const there = { DATA_DIR: await folder('with its place'), KEYS_DIR }
    await mustBeWell(['restore', join(root, 'with a queue')], there)
    assert.match(await mustBeWell(['check'], there), new RegExp(`The log of ${size + 1} entries gives its tree`))
  })

  test('18.21 18.22 a restore onto PostgreSQL that is broken off leaves nothing that would be served or saved, and is run again', async (t) => {
    const { KEYS_DIR } = settings as { KEYS_DIR: string }
    const url = await makeTarget(t)
    const place = { DATA_DIR: await folder('broken off'), KEYS_DIR, DATABASE_URL: url }
    const [snapshot] = await readdir(join(backup, 'snapshots'))
    const database = join(backup, 'snapshots', snapshot!, 'database')
    await rename(database, join(root, 'database aside'))
    assert.equal((await runCommand(['restore', backup], place)).status, 1)
    await rename(join(root, 'database aside'), database)
    await assert.rejects(
      openData(readConfig(place)),
      /^StartFailure: This database is only half filled: `npm run admin -- restore`/,
    )
    assert.match((await runCommand(['backup', join(root, 'half')], place)).err, /only half filled/)
    const other = await holdPostgres(url)
    assert.match((await runCommand(['restore', backup], place)).err, /another run fills it at this moment$/)
    await other.close()
    // Of two at once, one says so and leaves the other alone.
    const both = [place, { ...place, DATA_DIR: await folder('at once') }]
    const ended = await Promise.all(both.map((target) => runCommand(['restore', backup], target)))
    assert.equal(ended.filter(({ status }) => status === 0).length, 1)
    assert.match(
      ended.map(({ err }) => err).join(''),
      /(another run fills it at this moment|it holds an installation already)$/,
    )
    // Its files lie with the one that was let in.
    await mustBeWell(['check'], both[ended.findIndex(({ status }) => status === 0)] ?? place)
    assert.match((await runCommand(['restore', backup], place)).err, /it holds an installation already$/)
    await askPostgres(url, "insert into kysely_migration values ('9999-later', '')")
    assert.match(
      (await runCommand(['backup', join(root, 'newer')], place)).err,
      /^The database cannot be saved: .* only one has taken the step 9999-later/,
    )
  })
})
