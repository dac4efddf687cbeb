import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { Kysely, sql } from 'kysely'
import { ENGINES, startTestServer } from '../../testing.ts'
import { makeRealDatabase } from '../../testing/real-postgres.ts'
import { openPostgres } from '../open.ts'
import { TIME_LIMITS } from '../postgres-pool.ts'
import type { Tables } from '../schema.ts'
import { makeReadingDialect } from './reading-dialect.ts'
import { openReadingProcesses, READING_LIMITS, type ReadingLimits } from './reading-processes.ts'

/** Ends never. */
const ENDLESS = sql`with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n`
const PATIENT: ReadingLimits = { ...READING_LIMITS, deadlineMs: 30_000, waitMs: 30_000 }

async function openReads(t: TestContext, limits: ReadingLimits): Promise<Kysely<Tables>> {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-reads-'))
  const path = join(folder, 'proofdesk.sqlite')
  const writing = new DatabaseSync(path)
  writing.exec(
    'pragma journal_mode = wal; create table facts (name text, size integer); insert into facts values (1, 2)',
  )
  const reads = new Kysely<Tables>({ dialect: makeReadingDialect(openReadingProcesses(path, limits)) })
  t.after(async () => {
    await reads.destroy()
    writing.close()
    await rm(folder, { recursive: true })
  })
  return reads
}

const isTimedOut = { code: 'read_timed_out' }

test('12.6 a read past its deadline is given up, and the next one is answered', async (t) => {
  const reads = await openReads(t, { ...PATIENT, size: 1, deadlineMs: 1500 })
  await assert.rejects(ENDLESS.execute(reads), isTimedOut)
  const { rows } = await sql`select name, size from facts where size = ${2}`.execute(reads)
  assert.deepEqual(rows, [{ name: '1', size: 2 }])
})

test('what a process takes to start is not counted against its first question', async (t) => {
  const first = async (reads: Kysely<Tables>) => (await sql`select 1 as x`.execute(reads)).rows
  const patient = await openReads(t, PATIENT)
  const before = performance.now()
  await first(patient)
  const startsWithin = performance.now() - before
  assert.deepEqual(await first(await openReads(t, { ...PATIENT, deadlineMs: startsWithin / 2 })), [{ x: 1 }])
})

test('who waits too long for a process is told so, and those who are patient get theirs in turn', async (t) => {
  const reads = await openReads(t, { ...PATIENT, size: 1, deadlineMs: 1500, waitMs: 700 })
  const endless = assert.rejects(ENDLESS.execute(reads), isTimedOut)
  await assert.rejects(sql`select 1`.execute(reads), isTimedOut)
  await endless
  const patient = await openReads(t, { ...PATIENT, size: 1 })
  const answers = await Promise.all([1, 2, 3].map((number) => sql`select ${number} as x`.execute(patient)))
  assert.deepEqual(
    answers.map(({ rows }) => rows),
    [[{ x: 1 }], [{ x: 2 }], [{ x: 3 }]],
  )
})

test('nothing is written, and no transaction begun, by what only reads', async (t) => {
  const reads = await openReads(t, PATIENT)
  await assert.rejects(sql`insert into facts values (3, 4)`.execute(reads), { code: 'database_unavailable' })
  assert.equal((await sql`select * from facts`.execute(reads)).rows.length, 1)
  await assert.rejects(
    reads.transaction().execute(async () => {}),
    /no transactions/,
  )
})

test('who reads what the database holds at one moment is given no other process in place of one that was lost', async (t) => {
  const reads = await openReads(t, { ...PATIENT, size: 1, deadlineMs: 1500, startsAnew: false })
  await reads.connection().execute(async (held) => {
    await sql`begin deferred`.execute(held)
    await assert.rejects(ENDLESS.execute(held), isTimedOut)
    await assert.rejects(sql`select 1`.execute(held), { code: 'database_unavailable' })
  })
})

test('closing ends a read that is under way, and whoever comes later is told', async (t) => {
  const reads = await openReads(t, PATIENT)
  const endless = assert.rejects(ENDLESS.execute(reads), { code: 'database_unavailable' })
  await sql`select 1`.execute(reads)
  await reads.destroy()
  await endless
})

test('12.6 on PostgreSQL a read past its time limit is given up, others are not', async (t) => {
  if (!ENGINES.includes('postgres')) {
    t.skip('this machine has no PostgreSQL')
    return
  }
  const real = await makeRealDatabase('migrated')
  const database = openPostgres(real.url, { maxConnections: 2, timeLimits: { ...TIME_LIMITS, statementMs: 500 } })
  t.after(async () => {
    await database.close()
    await real.drop()
  })
  await assert.rejects(sql`select pg_sleep(60)`.execute(database.longReads), isTimedOut)
  await assert.rejects(sql`select pg_sleep(60)`.execute(database.db), { code: 'database_unavailable' })
  assert.equal((await sql`select 1 as x`.execute(database.longReads)).rows.length, 1)
})

for (const engine of ENGINES.filter((name) => name !== 'pglite')) {
  test(`12.5 while a long read runs, everything else is answered (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const ada = await server.signIn('ada')
    let isRunning = true
    const endless = ENDLESS.execute(server.deps.longReads).catch(() => (isRunning = false))
    for (let call = 0; call < 20; call += 1) {
      assert.equal((await ada.post('/collections/', { title: `Lease ${call}` })).status, 201)
      assert.equal((await ada.get('/collections/')).status, 200)
    }
    assert.ok(isRunning)
    await server.restart()
    await endless
  })
}
