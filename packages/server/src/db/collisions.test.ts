import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { AppError } from '../errors.ts'
import { startTestServer } from '../testing.ts'
import { must, sendCollection } from '../testing/collections.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { MOST_TRIES } from './collisions.ts'
import { inTransaction } from './in-transaction.ts'
import { openPostgres, type Db } from './open.ts'

const needsPostgres = { timeout: 60_000, skip: !hasRealPostgres && 'PostgreSQL is not installed' }

type Test = Parameters<typeof startTestServer>[0]

/** Two numbers to add to, in a table of their own. */
async function openCounters(t: Test): Promise<Db> {
  const real = await makeRealDatabase('migrated')
  const { db } = openPostgres(real.url)
  t.after(async () => {
    await db.destroy()
    await real.drop()
  })
  await sql`create table counters (id integer primary key, amount integer not null)`.execute(db)
  await sql`insert into counters values (1, 0), (2, 0)`.execute(db)
  return db
}

const add = (db: Db, id: number) => sql`update counters set amount = amount + 1 where id = ${id}`.execute(db)

async function listAmounts(db: Db): Promise<number[]> {
  const { rows } = await sql<{ amount: number }>`select amount from counters order by id`.execute(db)
  return rows.map(({ amount }) => amount)
}

test(
  '21.11 two transactions that wait for each other are both done, and neither twice (postgres)',
  needsPostgres,
  async (t) => {
    const db = await openCounters(t)
    const { promise: bothHold, resolve } = Promise.withResolvers<void>()
    let holding = 0
    let runs = 0
    const addBoth = (first: number, second: number) =>
      inTransaction(db, async (transaction) => {
        runs += 1
        await add(transaction, first)
        if ((holding += 1) === 2) resolve()
        await bothHold
        await add(transaction, second)
        return first
      })
    assert.deepEqual(await Promise.all([addBoth(1, 2), addBoth(2, 1)]), [1, 2])
    assert.deepEqual(await listAmounts(db), [2, 2])
    assert.ok(runs > 2, 'one of them was begun anew')
  },
)

test('21.11 transactions that cannot be put in an order are all done (postgres)', needsPostgres, async (t) => {
  const db = await openCounters(t)
  const { promise: bothRead, resolve } = Promise.withResolvers<void>()
  let reading = 0
  const raise = () =>
    inTransaction(db, async (transaction) => {
      await sql`set transaction isolation level repeatable read`.execute(transaction)
      await sql`select * from counters`.execute(transaction)
      if ((reading += 1) === 2) resolve()
      await bothRead
      await add(transaction, 1)
    })
  await Promise.all([raise(), raise()])
  assert.deepEqual(await listAmounts(db), [2, 0])
})

test('21.11 a statement by itself that meets a deadlock is done (postgres)', needsPostgres, async (t) => {
  const db = await openCounters(t)
  // Each takes all rows, in opposite order, and slowly enough for both to hold one.
  const slowly = (order: string) =>
    sql`with held as (select id, pg_sleep(0.2) from (select id from counters order by id ${sql.raw(order)} for update) as rows)
      update counters set amount = amount + 1 where id in (select id from held)`.execute(db)
  await Promise.all([slowly('asc'), slowly('desc')])
  assert.deepEqual(await listAmounts(db), [2, 2])
})

test(
  'whoever collides again and again is told to come again, and what fails otherwise is not repeated (postgres)',
  needsPostgres,
  async (t) => {
    const db = await openCounters(t)
    let runs = 0
    const collide = inTransaction(db, async (transaction) => {
      runs += 1
      await add(transaction, 1)
      await sql`do $$ begin raise exception using errcode = 'deadlock_detected'; end $$`.execute(transaction)
    })
    await assert.rejects(collide, (error) => error instanceof AppError && error.code === 'database_unavailable')
    assert.equal(runs, MOST_TRIES)
    const fail = inTransaction(db, async (transaction) => {
      runs += 1
      await sql`insert into counters values (1, 0)`.execute(transaction)
    })
    await assert.rejects(fail, /counters_pkey/)
    assert.equal(runs, MOST_TRIES + 1)
    assert.deepEqual(await listAmounts(db), [0, 0])
  },
)

test(
  '21.11 a request whose transaction PostgreSQL ends for a deadlock is answered as any other (postgres)',
  needsPostgres,
  async (t) => {
    const real = await makeRealDatabase('migrated')
    const server = await startTestServer(t, 'postgres', {
      database: { open: async () => openPostgres(real.url), drop: () => real.drop() },
    })
    const [ada, sam] = [await server.signIn('ada'), await server.signIn('sam', { is_staff: true })]
    const client = new pg.Client({ connectionString: real.url })
    // The database goes before it does.
    client.on('error', () => {})
    await client.connect()
    t.after(() => client.end().catch(() => {}))
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    /** @returns whether the request was the one that PostgreSQL ended, and not the other side */
    const collide = async () => {
      const id = await sendCollection(ada)
      await server.settle()
      // The request holds the collection and waits for the decisions; then somebody who holds those asks for the collection.
      await client.query('begin; lock table decisions in share mode')
      const rejecting = sam.post(`/admin/${id}/reject/`, { admin_desc: 'Not signed' })
      await waitUntil(async () => Boolean((await client.query(waiting)).rowCount))
      const isRequest = await client.query(`select id from collections where id = ${id} for update`).then(
        () => true,
        ({ code }: pg.DatabaseError) => code !== '40P01',
      )
      await client.query('rollback')
      must(await rejecting, 200)
      assert.equal(must(await ada.get(`/collections/${id}/`), 200).admin_desc, 'Not signed')
      const submissions = must(await ada.get(`/collections/${id}/submissions/`), 200)
      assert.equal(JSON.stringify(submissions).split('Not signed').length, 2, 'it is decided once')
      return isRequest
    }
    // PostgreSQL ends whoever looks first, after a second: on a busy machine that may be the other side.
    await waitUntil(collide)
  },
)
