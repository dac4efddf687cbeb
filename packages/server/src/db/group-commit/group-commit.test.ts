import assert from 'node:assert/strict'
import { fstatSync, statSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { Kysely, sql } from 'kysely'
import { toKyselyDatabase } from '../node-sqlite.ts'
import { openSqlite } from '../open.ts'
import { openWalSync } from './wal-sync.ts'
import { makeWritingDialect } from './writing-dialect.ts'

interface Facts {
  facts: { id: number }
}

/** A database whose disk syncs when it is told to. */
async function openWriting(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-commits-'))
  const path = join(folder, 'proofdesk.sqlite')
  const writing = new DatabaseSync(path)
  writing.exec('pragma journal_mode = wal; pragma synchronous = normal; create table facts (id integer primary key)')
  const syncs: PromiseWithResolvers<void>[] = []
  const syncFile = () => {
    const sync = Promise.withResolvers<void>()
    syncs.push(sync)
    return sync.promise
  }
  const dialect = makeWritingDialect(toKyselyDatabase(writing), openWalSync(path, syncFile))
  const db = new Kysely<Facts>({ dialect })
  const reading = new DatabaseSync(path, { readOnly: true })
  t.after(async () => {
    reading.close()
    await db.destroy()
    await rm(folder, { recursive: true })
  })
  const add = (id: number) => db.insertInto('facts').values({ id }).execute()
  const count = () => Number(reading.prepare('select count(*) as n from facts').get()?.['n'])
  /** Every promise that can go on has gone on. */
  const calm = () => new Promise((resolve) => setImmediate(resolve))
  return { db, add, count, syncs, calm }
}

/** @returns whether it has ended, at any time */
function watch(work: Promise<unknown>): () => boolean {
  let hasEnded = false
  void work.then(
    () => (hasEnded = true),
    () => (hasEnded = true),
  )
  return () => hasEnded
}

test('nobody is answered before what they wrote is on the disk, and others write meanwhile', async (t) => {
  const { db, add, count, syncs, calm } = await openWriting(t)
  const first = watch(add(1))
  await calm()
  assert.deepEqual([count(), syncs.length, first()], [1, 1, false])

  const second = watch(add(2))
  const third = watch(
    db.transaction().execute((transaction) => transaction.insertInto('facts').values({ id: 3 }).execute()),
  )
  await calm()
  assert.deepEqual([count(), syncs.length], [3, 1], 'they were committed, and wait for the next sync together')
  syncs[0]?.resolve()
  await calm()
  assert.deepEqual([first(), second(), third(), syncs.length], [true, false, false, 2])
  syncs[1]?.resolve()
  await calm()
  assert.deepEqual([second(), third(), syncs.length], [true, true, 2])
})

test('who only reads, or takes back what they wrote, waits for no disk', async (t) => {
  const { db, syncs, count } = await openWriting(t)
  await db.selectFrom('facts').selectAll().execute()
  await db.transaction().execute((transaction) => transaction.selectFrom('facts').selectAll().execute())
  const failing = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('facts').values({ id: 1 }).execute()
    throw new Error('changed my mind')
  })
  await assert.rejects(failing, /changed my mind/)
  assert.deepEqual([syncs.length, count()], [0, 0])
})

test('a transaction is alone: another begins when it has ended, and sees what it wrote', async (t) => {
  const { db, add, syncs, calm } = await openWriting(t)
  const held = Promise.withResolvers<void>()
  const long = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('facts').values({ id: 1 }).execute()
    await held.promise
    await transaction.insertInto('facts').values({ id: 2 }).execute()
  })
  const clash = assert.rejects(add(2), /UNIQUE/)
  await calm()
  assert.equal(syncs.length, 0)
  held.resolve()
  await calm()
  syncs.forEach(({ resolve }) => resolve())
  await calm()
  syncs.forEach(({ resolve }) => resolve())
  await Promise.all([long, clash])
})

test('after a disk that failed nothing is promised any more', async (t) => {
  const { db, add, syncs, calm } = await openWriting(t)
  const failed = assert.rejects(add(1), { code: 'database_unavailable' })
  await calm()
  syncs[0]?.reject(Object.assign(new Error('EIO'), { code: 'EIO' }))
  await failed
  await assert.rejects(add(2), { code: 'database_unavailable' })
  assert.equal(syncs.length, 1)
  assert.equal((await db.selectFrom('facts').selectAll().execute()).length, 2)
})

test('it is the file that SQLite writes which is synced, also a new one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-commits-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'proofdesk.sqlite')
  const synced: number[] = []
  const walSync = openWalSync(path, async (file) => void synced.push(fstatSync(file).ino))
  await writeFile(`${path}-wal`, 'one')
  const [before] = [statSync(`${path}-wal`).ino, await walSync.sync()]
  await rename(`${path}-wal`, `${path}-aside`)
  await writeFile(`${path}-wal`, 'another')
  await rm(`${path}-aside`)
  const after = statSync(`${path}-wal`).ino
  await walSync.sync()
  walSync.close()
  assert.deepEqual(synced, [before, after])
})

test('a file that cannot be opened once is synced the next time', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-commits-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'proofdesk.sqlite')
  const synced: number[] = []
  const walSync = openWalSync(path, async (file) => void synced.push(file))
  await assert.rejects(walSync.sync(), { code: 'ENOENT' })
  await writeFile(`${path}-wal`, 'one')
  await walSync.sync()
  walSync.close()
  assert.equal(synced.length, 1)
})

test('a database that cannot have a log beside it is written all the same', async () => {
  const { db, close } = openSqlite(':memory:')
  await db.schema.createTable('facts').addColumn('id', 'integer').execute()
  await sql`insert into facts (id) values (1)`.execute(db)
  assert.deepEqual((await sql`select id from facts`.execute(db)).rows.length, 1)
  await close()
})
