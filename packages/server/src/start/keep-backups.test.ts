import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeBackupState, readBackupState } from '../backup/backup-state.ts'
import { pathOfBlob } from '../blobs/disk.ts'
import type { Deps } from '../deps.ts'
import { judgeCertified } from '../features/certificates/rounds/judge-certified.ts'
import { findRound } from '../rounds/queries.ts'
import { ENGINES, startTestServer, type TestServer } from '../testing.ts'
import { openPostgres } from '../db/open.ts'
import { addFile, must, openCollection, sendCollection } from '../testing/collections.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { makeTestBucket, skipWithoutS3 } from '../testing/s3.ts'
import { start } from '../testing/server-process.ts'
import { runCommand } from '../testing/stopped-installation.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { lockFolder } from './data-lock.ts'
import { startBackups } from './keep-backups.ts'

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

async function makeRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'proofdesk-daily-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

/** Ended with the test at the latest: what goes on behind one that failed would keep the run from its end. */
function keepBackups(t: TestContext, deps: Deps, commandMs?: number): () => Promise<void> {
  const stop = startBackups(deps, commandMs)
  t.after(stop)
  return stop
}

/** Asks until the backup has ended, well or not. */
async function readBackup(server: TestServer) {
  const sue = await server.signIn('sue', { is_superuser: true })
  for (;;) {
    const { backup } = must(await sue.get('/health/'), 200)
    if (backup.drilled_at !== null || backup.problem !== null) return backup
    await sleep(100)
  }
}

test('18.9 where BACKUP_DIR is set a backup is made each day, a restore of it is drilled, and superusers see both', async (t) => {
  const backupDir = join(await makeRoot(t), 'backups')
  const server = await startTestServer(t, 'sqlite', { config: { backupDir, backupKeep: 2 } })
  const backup = await readBackup(server)
  assert.deepEqual([backup.state, backup.is_set, backup.problem], ['well', true, null])
  assert.equal((await readdir(join(backupDir, 'snapshots'))).length, 1)
  server.clock.advance(3 * DAY_MS)
  const late = must(await (await server.signIn('sue', { is_superuser: true })).get('/health/'), 200)
  assert.equal(late.backup.state, 'watch')
})

test('18.9 a daily backup that fails is told to superusers', async (t) => {
  const backupDir = join(await makeRoot(t), 'backups')
  await writeFile(backupDir, 'not a folder')
  const server = await startTestServer(t, 'sqlite', { config: { backupDir } })
  const { state, problem } = await readBackup(server)
  assert.equal(state, 'broken')
  assert.match(problem, /^Backups cannot be put into .*backups: a file is in its place$/m)
})

for (const engine of ENGINES)
  test(`18.18 of several processes one makes the daily backup, and another when nothing is heard of it (${engine})`, async (t) => {
    const backupDir = join(await makeRoot(t), 'backups')
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    const hold = (me: string, until: number) =>
      changeBackupState(db, (was) => (was.held_by === null ? { ...was, held_by: me, held_until: until } : undefined))
    const claims = await Promise.all(['a', 'b', 'c', 'd'].map((me) => hold(me, server.clock.now() + 300_000)))
    assert.equal(claims.filter(Boolean).length, 1)
    const deps = { ...server.deps, config: { ...server.config, backupDir } }
    await startBackups(deps)()
    assert.equal((await readBackupState(db)).tried_at, null)
    assert.deepEqual(await readdir(dirname(backupDir)), [])
    // The one that held it is gone; the command fails at once, which is enough to see that it was begun.
    await writeFile(backupDir, 'not a folder')
    server.clock.advance(300_000)
    const stop = keepBackups(t, deps)
    await waitUntil(async () => (await readBackupState(db)).problem !== null)
    await stop()
    const { held_by, held_until } = await readBackupState(db)
    assert.deepEqual([held_by, held_until], [null, null])
  })

for (const at of ['due_since', 'busy_since'] as const)
  test(`18.40 a clock that once ran ahead does not hide that no daily backup comes about (${at})`, async (t) => {
    const backupDir = await makeRoot(t)
    const server = await startTestServer(t, 'sqlite')
    const { db } = server.deps
    const lock = lockFolder(backupDir, 'The folder', 'a test works in it')
    await changeBackupState(db, (was) => ({ ...was, [at]: server.clock.now() + 365 * DAY_MS }))
    const stop = keepBackups(t, { ...server.deps, config: { ...server.config, backupDir } })
    await waitUntil(async () => ((await readBackupState(db))[at] ?? Infinity) <= server.clock.now())
    await stop()
    lock.close()
    assert.equal((await readBackupState(db)).problem, null)
  })

for (const at of ['tried_at', 'held_until'] as const)
  test(`18.9 a clock that once ran ahead puts the daily backup off by nothing (${at})`, async (t) => {
    const backupDir = join(await makeRoot(t), 'backups')
    const server = await startTestServer(t, 'sqlite')
    const { db } = server.deps
    const ahead = server.clock.now() + 365 * DAY_MS
    const held = at === 'held_until' ? { held_by: 'gone', held_until: ahead } : { tried_at: ahead, saved_at: ahead }
    await changeBackupState(db, (was) => ({ ...was, ...held }))
    const config = { ...server.config, backupDir }
    const sue = await server.signIn('sue', { is_superuser: true })
    if (at === 'tried_at') {
      server.config.backupDir = backupDir
      assert.equal(must(await sue.get('/health/'), 200).backup.state, 'watch')
    }
    const stop = keepBackups(t, { ...server.deps, config })
    const { saved_at } = await waitUntil(async () => {
      const state = await readBackupState(db)
      return state.drilled_at === null ? undefined : state
    })
    await stop()
    assert.ok(saved_at! <= server.clock.now())
  })

test('18.31 a daily backup goes only once a newer one was drilled and went well', async (t) => {
  const backupDir = join(await makeRoot(t), 'backups')
  const server = await startTestServer(t, 'sqlite')
  const { db } = server.deps
  const deps = { ...server.deps, config: { ...server.config, backupDir, backupKeep: 1 } }
  const list = async () => (await readdir(join(backupDir, 'snapshots'))).toSorted()
  const makeOne = async () => {
    const begun = server.clock.now()
    const stop = keepBackups(t, deps)
    const { problem } = await waitUntil(async () => {
      const state = await readBackupState(db)
      return (state.tried_at ?? 0) >= begun && state
    })
    await stop()
    server.clock.advance(DAY_MS)
    return problem
  }
  await openCollection(await server.signIn('ada'))
  assert.equal(await makeOne(), null)
  const [well] = await list()
  // What is saved from here on does not check.
  const spoil = (by: number) =>
    db
      .updateTable('collection_counts')
      .set(({ eb }) => ({ amount: eb('amount', '+', by) }))
      .execute()
  await spoil(1)
  assert.match(String(await makeOne()), /counts are wrong/)
  assert.deepEqual([(await list())[0], (await list()).length], [well, 2])
  // Also by hand.
  const { dataDir, keysDir } = server.config
  await runCommand(['backup', backupDir, '--keep', '1'], { DATA_DIR: dataDir, KEYS_DIR: keysDir })
  assert.equal((await list())[0], well)
  await spoil(-1)
  assert.equal(await makeOne(), null)
  assert.deepEqual(await list(), [(await readBackupState(db)).drilled_snapshot])
})

test('18.36 a server that ends in the middle of a backup waits until that has let go of its place and left no copy there', async (t) => {
  const backupDir = join(await makeRoot(t), 'backups')
  const server = await startTestServer(t, 'sqlite')
  const stop = keepBackups(t, { ...server.deps, config: { ...server.config, backupDir } })
  const list = () => readdir(backupDir).catch(() => [])
  await waitUntil(async () => (await list()).some((name) => name.startsWith('scratch-')))
  await stop()
  const left = (await list()).filter((name) => !['proofdesk.lock', 'backup.json', 'files', 'snapshots'].includes(name))
  assert.deepEqual(left, [])
  lockFolder(backupDir, 'The folder', 'the backup is still there').close()
  const { tried_at, held_by } = await readBackupState(server.deps.db)
  assert.deepEqual([tried_at, held_by], [null, null])
})

test('18.17 a daily backup that finds another one at work is not counted as tried', async (t) => {
  const backupDir = await makeRoot(t)
  const server = await startTestServer(t, 'sqlite')
  const lock = lockFolder(backupDir, 'The folder', 'a test works in it')
  const stop = keepBackups(t, { ...server.deps, config: { ...server.config, backupDir } })
  await waitUntil(async () => (await readBackupState(server.deps.db)).held_by !== null)
  await waitUntil(async () => (await readBackupState(server.deps.db)).held_by === null)
  await stop()
  lock.close()
  const { tried_at, problem } = await readBackupState(server.deps.db)
  assert.deepEqual([tried_at, problem], [null, null])
})

for (const engine of ENGINES)
  test(`18.40 a daily backup that has never come about is to be watched after two days, and /metrics tells since when (${engine})`, async (t) => {
    const backupDir = await makeRoot(t)
    const server = await startTestServer(t, engine)
    const lock = lockFolder(backupDir, 'The folder', 'a test works in it')
    server.config.backupDir = backupDir
    const readAge = async () => {
      const { body } = await server.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
      return Number(/^proofdesk_backup_age_seconds (\S+)$/m.exec(body)?.[1])
    }
    const begun = server.clock.now()
    const stop = keepBackups(t, server.deps)
    const since = await waitUntil(async () => (await readBackupState(server.deps.db)).due_since ?? undefined)
    assert.ok(since >= begun && since <= server.clock.now())
    const sue = await server.signIn('sue', { is_superuser: true })
    const { state, due_since } = must(await sue.get('/health/'), 200).backup
    assert.deepEqual([state, due_since], ['well', new Date(since).toISOString()])
    const early = await readAge()
    assert.ok(early >= 0 && early < 60, String(early))
    await stop()
    server.clock.advance(2 * DAY_MS)
    // A later look does not begin to count anew.
    await startBackups(server.deps)()
    lock.close()
    const later = await server.signIn('sue', { is_superuser: true })
    const { backup } = must(await later.get('/health/'), 200)
    assert.deepEqual([backup.saved_at, backup.due_since, backup.state === 'well'], [null, due_since, false])
    assert.ok((await readAge()) >= (2 * DAY_MS) / 1000)
  })

test('18.40 where no daily backup is set, none is due', async (t) => {
  const server = await startTestServer(t, 'sqlite')
  await changeBackupState(server.deps.db, (was) => ({ ...was, due_since: server.clock.now() - 3 * DAY_MS }))
  const sue = await server.signIn('sue', { is_superuser: true })
  const { state, due_since } = must(await sue.get('/health/'), 200).backup
  assert.deepEqual([state, due_since], ['well', null])
  const { body } = await server.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  assert.doesNotMatch(body, /^proofdesk_backup_age_seconds /m)
})

test('18.40 a daily backup that does not end is ended, and told to superusers', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1')
  t.after(() => silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const server = await startTestServer(t, 'sqlite')
  const credentials = { AWS_ACCESS_KEY_ID: 'nobody', AWS_SECRET_ACCESS_KEY: 'nothing' }
  const before = Object.keys(credentials).map((name) => [name, process.env[name]] as const)
  t.after(() => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  })
  Object.assign(process.env, credentials)
  server.config.backupDir = `s3://backups?endpoint=http://127.0.0.1:${port}`
  const stop = keepBackups(t, server.deps, 3000)
  const { state, problem, saved_at } = await readBackup(server)
  await stop()
  assert.deepEqual([state, saved_at], ['broken', null])
  assert.match(problem, /^`backup` had not ended after 3 seconds, and was ended/)
  const { tried_at, held_by } = await readBackupState(server.deps.db)
  assert.deepEqual([typeof tried_at, held_by], ['number', null])
})

test('18.40 a place of backups that stays in use is told to superusers, until a backup comes about', async (t) => {
  const backupDir = await makeRoot(t)
  const server = await startTestServer(t, 'sqlite')
  const { db } = server.deps
  const deps = { ...server.deps, config: { ...server.config, backupDir } }
  const lock = lockFolder(backupDir, 'The folder', 'a test works in it')
  const lookOnce = async () => {
    const stop = keepBackups(t, deps, 20 * MINUTE_MS)
    await waitUntil(async () => (await readBackupState(db)).held_by !== null)
    await waitUntil(async () => (await readBackupState(db)).held_by === null)
    await stop()
    return readBackupState(db)
  }
  assert.equal((await lookOnce()).problem, null)
  server.clock.advance(12 * MINUTE_MS)
  assert.equal((await lookOnce()).problem, null)
  server.clock.advance(12 * MINUTE_MS)
  for (let times = 0; times < 2; times++) {
    const { problem, tried_at } = await lookOnce()
    assert.match(String(problem), /^No backup could be begun for more than 1200 seconds: .*in use/)
    assert.equal(tried_at, null)
  }
  const warned = server.logLines.filter((line) => line.includes('the daily backup or its drill failed'))
  assert.equal(warned.length, 1)
  lock.close()
  const { problem, busy_since, saved_at } = await lookOnce()
  assert.deepEqual([problem, busy_since, typeof saved_at], [null, null, 'number'])
})

test(
  '18.9 18.18 18.23 two nodes on PostgreSQL with BACKUP_DIR in a bucket make one backup a day there, and drill it',
  { skip: hasRealPostgres ? skipWithoutS3 : 'PostgreSQL is not installed' },
  async (t) => {
    const real = await makeRealDatabase('empty')
    t.after(real.drop)
    const bucket = await makeTestBucket('daily')
    const { STORAGE_URL: BACKUP_DIR, ...credentials } = bucket.environment
    const settings = {
      DATA_DIR: await makeRoot(t),
      DATABASE_URL: real.url,
      MIN_FREE_MB: '0',
      BACKUP_DIR,
      ...credentials,
    }
    const nodes = await Promise.all([start(settings), start(settings)])
    const database = openPostgres(real.url, { maxConnections: 1 })
    t.after(() => database.close())
    await waitUntil(async () => (await readBackupState(database.db)).tried_at !== null)
    const { drilled_at, problem } = await readBackupState(database.db)
    assert.deepEqual([typeof drilled_at, problem], ['number', null])
    for (const { child, ended } of nodes) {
      child.kill('SIGTERM')
      await ended
    }
    assert.equal((await bucket.list()).filter((name) => name.endsWith('/manifest')).length, 1)
  },
)

// a copy of PostgreSQL is taken over a connection of its own
for (const engine of ENGINES.filter((name) => name !== 'pglite'))
  test(`18.27 where BACKUP_DIR is set, what is found to be spoiled is put back by itself (${engine})`, async (t) => {
    const backupDir = join(await makeRoot(t), 'backups')
    const real = engine === 'postgres' ? await makeRealDatabase('migrated') : undefined
    if (real) t.after(real.drop)
    const server = await startTestServer(t, engine, {
      config: { backupDir, ...(real && { databaseUrl: real.url }) },
      ...(real && { database: { open: async () => openPostgres(real.url), drop: async () => {} } }),
    })
    const ada = await server.signIn('ada')
    const id = await openCollection(ada)
    const content = await addFile(ada, id)
    await server.settle()
    await readBackup(server)
    const { blob_key } = await server.deps.db
      .selectFrom('contents')
      .select('blob_key')
      .where('id', '=', content)
      .executeTakeFirstOrThrow()
    const path = pathOfBlob(server.config.dataDir, blob_key)
    // The backup of the start may have come before the upload.
    server.clock.advance(DAY_MS)
    const { saved_at: first } = await readBackupState(server.deps.db)
    const again = keepBackups(t, server.deps)
    await waitUntil(async () => (await readBackupState(server.deps.db)).saved_at !== first)
    await again()

    const later = await server.signIn('ada')
    const look = () => later.get(`/contents/serve/?content_id=${content}`)
    await rm(path)
    assert.equal((await look()).status, 500)
    const stop = keepBackups(t, server.deps)
    await waitUntil(() => existsSync(path))
    await waitUntil(async () => (await readBackupState(server.deps.db)).held_by === null)
    await stop()
    assert.equal((await look()).status, 200)
    assert.equal(server.logLines.filter((line) => line.includes('put back from the backup')).length, 1)
  })

test('18.9 18.27 where a file was lost before its first backup, the rest is saved and drilled each day, and put back', async (t) => {
  const backupDir = join(await makeRoot(t), 'backups')
  const server = await startTestServer(t, 'sqlite')
  const { db } = server.deps
  const deps = { ...server.deps, config: { ...server.config, backupDir } }
  const ada = await server.signIn('ada')
  const id = await openCollection(ada)
  for (let n = 0; n < 2; n++) await addFile(ada, id)
  await server.settle()
  const contents = await db.selectFrom('contents').select(['id', 'blob_key']).orderBy('id').execute()
  const [lost, kept] = contents.map((content) => ({
    ...content,
    path: pathOfBlob(server.config.dataDir, content.blob_key),
  }))
  await rm(lost!.path)
  for (let day = 1; day <= 2; day++) {
    const begun = server.clock.now()
    const stop = keepBackups(t, deps)
    const { saved_at, drilled_at, problem } = await waitUntil(async () => {
      const state = await readBackupState(db)
      return (state.tried_at ?? 0) >= begun && state
    })
    await stop()
    assert.deepEqual([(saved_at ?? 0) >= begun, drilled_at], [true, null])
    const missing = (words: string) => problem?.includes(`${lost!.blob_key}: ${words}`)
    assert.deepEqual([missing('missing\n'), missing('missing when it was saved')], [true, true], String(problem))
    assert.equal((await readdir(join(backupDir, 'snapshots'))).length, day)
    server.clock.advance(DAY_MS)
  }

  await changeBackupState(db, (was) => ({ ...was, tried_at: server.clock.now() }))
  await rm(kept!.path)
  const later = await server.signIn('ada')
  assert.equal((await later.get(`/contents/serve/?content_id=${kept!.id}`)).status, 500)
  const stop = keepBackups(t, deps)
  await waitUntil(() => existsSync(kept!.path))
  await waitUntil(async () => (await readBackupState(db)).held_by === null)
  await stop()
  assert.equal(existsSync(lost!.path), false)
})

test('18.27 of a certified PDF whose file is well nothing is said to have been put back', async (t) => {
  const backupDir = join(await makeRoot(t), 'backups')
  const server = await startTestServer(t, 'sqlite', { config: { backupDir } })
  const { db } = server.deps
  const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
  must(await sam.post(`/admin/${await sendCollection(ada)}/approve/`, { admin_desc: 'Fine' }), 200)
  await server.settle()
  await readBackup(server)
  // Nor does the first round over certified PDFs, which comes when it comes, find the file well after the problem is known.
  do await judgeCertified(server.deps)
  while ((await findRound(db, 'certified'))?.is_under_way === 1)
  const { id } = await db.selectFrom('proofs').select('id').executeTakeFirstOrThrow()
  const problem = { proof_id: id, found_at: server.clock.now(), told: 'its row is not what was decided' }
  await db.insertInto('file_problems').values(problem).execute()
  const stop = keepBackups(t, server.deps)
  await waitUntil(async () => (await readBackupState(db)).held_by !== null)
  await waitUntil(async () => (await readBackupState(db)).held_by === null)
  await stop()
  assert.deepEqual(
    (await db.selectFrom('file_problems').selectAll().execute()).map(({ told }) => told),
    [problem.told],
  )
  assert.deepEqual(
    server.logLines.filter((line) => line.includes('put back')),
    [],
  )
})
