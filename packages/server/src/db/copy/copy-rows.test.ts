import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { checkCounts } from '../../counts/check-counts.ts'
import { askPostgres } from '../../testing/private-postgres.ts'
import { hasRealPostgres, makeRealDatabase } from '../../testing/real-postgres.ts'
import { migrate } from '../migrate.ts'
import { openPostgres, openSqlite } from '../open.ts'
import { compareRows } from './copy-rows.ts'
import { copyToPostgres } from './copy-to-postgres.ts'
import { copyPostgresToSqlite, copyToSqlite } from './copy-to-sqlite.ts'
import { holdSqlite } from './hold-sqlite.ts'
import { withTransaction, readPostgresSide, withConnection } from './postgres-side.ts'
import { openRowDigest } from './row-digest.ts'
import { fillSqlite, readSqliteSide } from './sqlite-side.ts'
import { LEFT_OUT } from './table-shapes.ts'

const skip = hasRealPostgres ? false : 'PostgreSQL is not installed'
/** More than are written at once. */
const MANY = 2500

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-copy-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function makePostgres(t: TestContext): Promise<string> {
  const { url, drop } = await makeRealDatabase('migrated')
  t.after(drop)
  return url
}

/** A migrated file. */
async function makeSqlite(path: string): Promise<DatabaseSync> {
  const database = openSqlite(path)
  await migrate(database)
  await database.close()
  const db = new DatabaseSync(path)
  db.exec('pragma foreign_keys = on')
  return db
}

/** Rows in every table that is copied, by whatever its columns take. */
async function fillEveryTable(db: DatabaseSync): Promise<void> {
  const shapes = await readSqliteSide(db).shapes()
  await fillSqlite(db, async (side) => {
    for (const shape of shapes) {
      const isOne = shape.name === 'log_state'
      const rows = Array.from({ length: isOne ? 1 : 3 }, (_, at) =>
        shape.columns.map(({ name, kind }) => {
          if (shape.name === 'saved_reasons' && name === 'decision') return 'approve'
          if (shape.name === 'tickets' && name === 'owner_id') return null
          if (name.startsWith('is_') || name === 'lapsed') return at % 2
          if (kind === 'number') return at + 1
          return kind === 'text'
            ? `${name} ${at} '"\\{}\n${String.fromCodePoint(0x1d518)}`
            : new Uint8Array([0, at, 255])
        }),
      )
      await side.write(shape, rows)
    }
  })
}

test(
  '22.12 each table of the schema is copied, or is named as one that is not, with the same columns on both engines',
  { skip },
  async (t) => {
    const db = await makeSqlite(join(await makeFolder(t), 'a.sqlite'))
    const url = await makePostgres(t)
    const here = await readSqliteSide(db).shapes()
    const there = await withConnection(url, (client) => readPostgresSide(client).shapes())
    const say = (shapes: typeof here) =>
      shapes.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, columns }) => ({ name, columns }))
    assert.deepEqual(say(here), say(there))
    assert.ok(here.length > 45 && here.every(({ columns }) => columns.length > 0))
    const known = new Set(
      (
        await withConnection(url, (client) => client.query("select relname from pg_class where relkind = 'r'"))
      ).rows.map(({ relname }) => relname),
    )
    for (const name of LEFT_OUT) assert.ok(known.has(name), `${name} is left out and is there`)
    // What is made of rows, and only that, is left out.
    const made = db
      .prepare("select sql from sqlite_schema where type = 'trigger'")
      .all()
      .flatMap(({ sql }) => [...String(sql).matchAll(/insert into (\w+)/g)].map(([, table]) => table!))
    for (const table of made) assert.ok(LEFT_OUT.has(table), `${table} is made by a trigger`)
    db.close()
  },
)

test(
  '22.13 every column of every table comes through unchanged from SQLite to PostgreSQL and back',
  { skip },
  async (t) => {
    const folder = await makeFolder(t)
    const db = await makeSqlite(join(folder, 'a.sqlite'))
    const url = await makePostgres(t)
    await fillEveryTable(db)
    const there = await copyToPostgres(readSqliteSide(db), url, {}, () => {})
    assert.ok(there.every(({ rows, name }) => rows === (name === 'log_state' ? 1 : 3)))
    await copyPostgresToSqlite(url, join(folder, 'b.sqlite'))
    const back = new DatabaseSync(join(folder, 'b.sqlite'))
    assert.deepEqual(await compareRows(there, readSqliteSide(back)), [])
    const list = (from: DatabaseSync, table: string) => from.prepare(`select * from ${table} order by 1`).all()
    for (const { name } of there) assert.deepEqual(list(back, name), list(db, name), name)
    for (const name of ['collection_counts', 'user_counts']) assert.equal(list(back, name).length > 0, true)
    db.close()
    back.close()
  },
)

test(
  '22.3 22.14 ids are counted on from the last that was ever given, counts are right, and what is searched is found, on both engines',
  { skip },
  async (t) => {
    const folder = await makeFolder(t)
    const db = await makeSqlite(join(folder, 'a.sqlite'))
    const url = await makePostgres(t)
    db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})
    insert into users (username, username_key, email, email_key, first_name, last_name, phone_number, joined_at, recovery_email, recovery_email_key)
    select 'person' || i, 'person' || i, 'p@' || i, 'p@' || i, '', '', '', i, 'p@' || i, 'p@' || i from n;
    delete from users where id = ${MANY}`)
    const insert = `insert into users (username, username_key, email, email_key, first_name, last_name, phone_number, joined_at, recovery_email, recovery_email_key)
    values ('new', 'new', 'new@x', 'new@x', '', '', '', 1, 'new@x', 'new@x') returning id`
    await copyToPostgres(readSqliteSide(db), url, {}, () => {})
    db.close()
    const postgres = openPostgres(url)
    t.after(() => postgres.close())
    assert.deepEqual((await checkCounts(postgres)).wrong, [])
    await copyPostgresToSqlite(url, join(folder, 'b.sqlite'))
    await withConnection(url, async (client) => {
      assert.equal((await client.query(insert)).rows[0].id, MANY + 1)
      const found = await client.query(
        `select id from user_grams where list_grams(t, r, p) @> '{tn77}'::text[] or t like '%person77%'`,
      )
      assert.ok(found.rows.length >= 11)
    })
    const back = new DatabaseSync(join(folder, 'b.sqlite'))
    assert.equal(back.prepare(insert).get()?.['id'], MANY + 1)
    const gram = (text: string) => `"t${Buffer.from(text).toString('hex')}"`
    const found = back
      .prepare('select count(*) as n from user_grams where user_grams match ?')
      .get(`${gram('n77')} AND ${gram('per')}`)
    assert.equal(found?.['n'], 11)
    back.close()
    const sqlite = openSqlite(join(folder, 'b.sqlite'))
    t.after(() => sqlite.close())
    assert.deepEqual((await checkCounts(sqlite)).wrong, [])
  },
)

test('22.15 in a filled database nothing can be changed that could not before', { skip }, async (t) => {
  const folder = await makeFolder(t)
  const db = await makeSqlite(join(folder, 'a.sqlite'))
  const url = await makePostgres(t)
  await fillEveryTable(db)
  const listTriggers = async () =>
    (await withConnection(url, (client) => client.query('select tgname, tgenabled from pg_trigger order by 1, 2'))).rows
  const before = await listTriggers()
  await copyToPostgres(readSqliteSide(db), url, {}, () => {})
  assert.deepEqual(await listTriggers(), before)
  for (const statement of [
    'update log_entries set entry = 1',
    'delete from audit_links',
    'truncate log_tiles',
    'delete from log_state',
  ])
    await assert.rejects(askPostgres(url, statement), /only added to/)
  await copyPostgresToSqlite(url, join(folder, 'b.sqlite'))
  const back = new DatabaseSync(join(folder, 'b.sqlite'))
  const triggers = (of: DatabaseSync) =>
    of.prepare("select name, sql from sqlite_schema where type = 'trigger' order by name").all()
  assert.deepEqual(triggers(back), triggers(db))
  assert.throws(() => back.exec("update log_entries set entry = '1'"), /only added to/)
  db.close()
  back.close()
})

test('22.16 what cannot be copied as it is is named, and nothing is written', { skip }, async (t) => {
  const folder = await makeFolder(t)
  const db = await makeSqlite(join(folder, 'a.sqlite'))
  const url = await makePostgres(t)
  await askPostgres(url, "insert into instance values ('kept', 'as it was')")
  const copy = () => copyToPostgres(readSqliteSide(db), url, {}, () => {})
  const value = db.prepare("insert into instance values ('odd', ?)")
  value.run('a\0b')
  await assert.rejects(copy(), /^CopyFailure: instance\.value holds something that is no text$/)
  db.exec("delete from instance; insert into outbox (kind, payload, due_at, created_at) values ('x', '{}', 1.5, 1)")
  await assert.rejects(copy(), /^CopyFailure: outbox\.due_at holds something that is no number$/)
  db.exec('delete from outbox; create table later (id integer primary key)')
  await assert.rejects(copy(), /later is a table here and missing there; later\.id is number here and missing there$/)
  db.exec("drop table later; insert into kysely_migration values ('9999-later', '')")
  await assert.rejects(copy(), /only one has taken the step 9999-later$/)
  const kept = await withConnection(url, (client) => client.query('select * from instance'))
  assert.deepEqual(kept.rows, [{ name: 'kept', value: 'as it was' }])
  db.close()
})

test('22.17 a copy in which a row is missing or another is told from a right one', { skip }, async (t) => {
  const folder = await makeFolder(t)
  const db = await makeSqlite(join(folder, 'a.sqlite'))
  await fillEveryTable(db)
  const copied = await copyToSqlite(readSqliteSide(db), join(folder, 'b.sqlite'))
  const compare = () => compareRows(copied, readSqliteSide(db))
  assert.deepEqual(await compare(), [])
  db.exec("update comments set text = text || '.' where id = 1")
  assert.deepEqual(await compare(), ['comments: a row is not what was copied'])
  db.exec('delete from comments where id = 1')
  assert.deepEqual(await compare(), ['comments: 3 rows were copied, 2 are there'])
  db.close()
  const [one, other] = [openRowDigest(), openRowDigest()]
  one.add(['ab', null, 1])
  one.add(['', 'c', 2])
  other.add(['', 'c', 2])
  other.add(['ab', null, 1])
  assert.equal(one.sum(), other.sum())
  other.add(['a', 'b', 1])
  assert.notEqual(one.sum(), other.sum())
})

test('22.18 what is written to PostgreSQL while it is copied is not in the copy, in no table', { skip }, async (t) => {
  const folder = await makeFolder(t)
  const url = await makePostgres(t)
  await askPostgres(url, "insert into instance values ('before', '')")
  await withConnection(url, (client) =>
    withTransaction(client, 'isolation level repeatable read read only', async () => {
      const side = readPostgresSide(client)
      await side.steps()
      await askPostgres(
        url,
        "insert into instance values ('after', ''); insert into mail_events (name, at) values ('delivered', 1)",
      )
      await copyToSqlite(side, join(folder, 'b.sqlite'))
    }),
  )
  const db = new DatabaseSync(join(folder, 'b.sqlite'))
  assert.deepEqual(
    db
      .prepare('select name from instance')
      .all()
      .map(({ name }) => name),
    ['before'],
  )
  assert.deepEqual(db.prepare('select * from mail_events').all(), [])
  db.close()
})

test('22.19 while rows are copied nobody writes the SQLite file', async (t) => {
  const path = join(await makeFolder(t), 'a.sqlite')
  const db = await makeSqlite(path)
  const held = holdSqlite(path)
  assert.throws(() => db.exec("insert into instance values ('a', '')"), /locked/)
  held.leaveWith('moved', 'there')
  held.close()
  assert.deepEqual({ ...db.prepare('select * from instance').get() }, { name: 'moved', value: 'there' })
  db.close()
})
