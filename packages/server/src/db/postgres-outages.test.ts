import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { API_BASE } from '@proofdesk/contract/route'
import { nameRoute, ROUTES } from '@proofdesk/contract/routes'
import { sql } from 'kysely'
import pg from 'pg'
import { AppError } from '../errors.ts'
import { startTestServer, TEST_PASSWORD, type TestAnswer } from '../testing.ts'
import { must } from '../testing/collections.ts'
import type { TestDatabase } from '../testing/engines.ts'
import { findPostgresPrograms, startPrivatePostgres } from '../testing/private-postgres.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './open.ts'
import { TIME_LIMITS, type TimeLimits } from './postgres-pool.ts'

const needsPostgres = { timeout: 120_000, skip: !hasRealPostgres && 'PostgreSQL is not installed' }

type Test = Parameters<typeof startTestServer>[0]

/** A server on a database whose address the test knows, and a connection of the test's own to it. */
async function startOnPostgres(t: Test, timeLimits: TimeLimits = TIME_LIMITS) {
  const real = await makeRealDatabase('migrated')
  const database: TestDatabase = { open: async () => openPostgres(real.url, { timeLimits }), drop: () => real.drop() }
  const server = await startTestServer(t, 'postgres', { database })
  return { server, real, ask: await connect(t, real.url) }
}

async function connect(t: Test, url: string): Promise<(text: string) => Promise<pg.QueryResult>> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  t.after(() => client.end().catch(() => {}))
  return (text) => client.query(text)
}

/** Backends of this database that wait for a lock. */
const WAITING = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

function expectOutage(answer: TestAnswer): void {
  assert.equal(answer.status, 503, answer.body)
  assert.equal(answer.json().code, 'database_unavailable')
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
}

test(
  'a connection to a server that only reads is given up: after a failover writes go on by a new one (postgres)',
  needsPostgres,
  async (t) => {
    const real = await makeRealDatabase('migrated')
    const ask = await connect(t, real.url)
    const { rows } = await ask('select current_database() as name')
    await ask(`alter database "${rows[0].name}" set default_transaction_read_only = on`)
    const database = openPostgres(real.url, { timeLimits: TIME_LIMITS })
    t.after(async () => {
      await database.close()
      await real.drop()
    })
    const write = (name: string) => sql`insert into instance (name, value) values (${name}, 'x')`.execute(database.db)
    await assert.rejects(write('one'), { code: 'database_unavailable' })
    await ask(`begin read write; alter database "${rows[0].name}" reset default_transaction_read_only; commit`)
    await write('two')
  },
)

test(
  'a request whose connection is lost while it waits is answered, and the server goes on (postgres)',
  needsPostgres,
  async (t) => {
    const { server, ask } = await startOnPostgres(t)
    await server.createUser({ username: 'ada' })
    const signIn = () => server.stranger.post('/auth/login/', { username: 'ada', password: TEST_PASSWORD })

    await t.test('one that waits in a query', async () => {
      await ask('begin; lock table users in access exclusive mode')
      const answering = signIn()
      const waiting = await waitUntil(async () => (await ask(WAITING)).rows[0]?.pid as number | undefined)
      await ask(`select pg_terminate_backend(${waiting})`)
      expectOutage(await answering)
      await ask('rollback')
      must(await signIn(), 200)
    })

    await t.test('one that is in a transaction: nothing of it stays, and the log says why', async () => {
      const { db } = server.deps
      const breaking = db.transaction().execute(async (transaction) => {
        await sql`insert into instance (name, value) values ('half', 'done')`.execute(transaction)
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
        await ask(`select pg_terminate_backend(${rows[0]?.pid})`)
        await sql`insert into instance (name, value) values ('half 2', 'done')`.execute(transaction)
      })
      await assert.rejects(breaking, (error) => error instanceof AppError && error.code === 'database_unavailable')
      // The line may break before PostgreSQL's word is read.
      await assert.rejects(breaking, ({ cause }: Error) => /terminat|EPIPE|ECONNRESET/i.test(String(cause)))
      assert.equal((await ask(`select 1 from instance where name like 'half%'`)).rowCount, 0)
      must(await signIn(), 200)
    })

    await t.test('one that idles in a transaction, without any query under way', async () => {
      const { db } = server.deps
      const breaking = db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
        await ask(`select pg_terminate_backend(${rows[0]?.pid})`)
        await pause(300)
      })
      await assert.rejects(breaking, (error) => error instanceof AppError && error.code === 'database_unavailable')
      must(await signIn(), 200)
    })
  },
)

test('a connection that PostgreSQL has ended is never used again (postgres)', needsPostgres, async (t) => {
  const real = await makeRealDatabase('migrated')
  const opened = openPostgres(real.url, { maxConnections: 1 })
  t.after(async () => {
    await opened.db.destroy()
    await real.drop()
  })
  const ask = await connect(t, real.url)
  for (let turn = 0; turn < 20; turn += 1) {
    const refused = assert.rejects(
      sql`select pg_sleep(60)`.execute(opened.db),
      (error) => error instanceof AppError && error.code === 'database_unavailable',
    )
    const asleep = `select pid from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`
    const pid = await waitUntil(async () => (await ask(asleep)).rows[0]?.pid as number | undefined)
    await ask(`select pg_terminate_backend(${pid})`)
    await refused
    assert.equal((await sql`select 1`.execute(opened.db)).rows.length, 1)
  }
})

test(
  'every connection cut again and again under load: each answer is right or 503 (postgres)',
  needsPostgres,
  async (t) => {
    const { server, real } = await startOnPostgres(t)
    const ada = await server.signIn('ada')
    const heard: unknown[] = []
    server.deps.live.subscribe((change) => heard.push(change))
    const over = new AbortController()
    const statuses = new Map<number, number>()
    const load = Array.from({ length: 30 }, async (_, caller) => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        const answer = await (turn % 3 === 0
          ? ada.post('/collections/', { title: `Collection ${caller} ${turn}` })
          : ada.get(turn % 3 === 1 ? '/collections/' : '/user/info'))
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
    })
    for (let cut = 0; cut < 8; cut += 1) {
      await pause(150)
      await real.cutConnections()
    }
    over.abort()
    await Promise.all(load)
    t.diagnostic(JSON.stringify([...statuses]))
    assert.deepEqual(
      [...statuses.keys()].toSorted((a, b) => a - b),
      [200, 201, 503],
    )
    must(await ada.get('/collections/'), 200)
    // The connection that listens comes back as well, and says that hints were missed.
    await waitUntil(() => heard.includes('everything'))
  },
)

test(
  'while PostgreSQL is away every call says so, and all is well when it is back (postgres)',
  needsPostgres,
  async (t) => {
    const postgres = await startPrivatePostgres(findPostgresPrograms() ?? '')
    const server = await startTestServer(t, 'postgres', {
      database: {
        open: async () => {
          const opened = openPostgres(postgres.url)
          await migrate(opened)
          return opened
        },
        drop: () => postgres.stop(),
      },
    })
    const ada = await server.signIn('ada')
    const { id } = must(await ada.post('/collections/', { title: 'Before' }), 201)
    await postgres.halt()

    const { access } = ada
    for (const { route } of ROUTES) {
      const url = `${API_BASE}${route.path.replace(/:\w+/g, String(id))}`
      const ask = async (headers: Record<string, string>) => {
        const answer = await server.inject({ method: route.method, url, headers })
        const { statusCode: status, headers: answered } = answer
        return { status, code: status < 400 ? '' : (answer.json().code as string), retry: answered['retry-after'] }
      }
      const signedIn = await ask({ authorization: `Bearer ${access}` })
      assert.deepEqual([signedIn.status, signedIn.code], [503, 'database_unavailable'], nameRoute(route))
      assert.ok(signedIn.retry, nameRoute(route))
      const stranger = await ask({})
      assert.notEqual(stranger.status, 500, nameRoute(route))
      if (stranger.status === 503) assert.ok(stranger.retry, nameRoute(route))
    }
    expectOutage(await server.stranger.post('/auth/login/', { username: 'ada', password: TEST_PASSWORD }))
    const ready = await server.inject('/readyz')
    assert.deepEqual([ready.statusCode, ready.json().database, ready.json().storage], [503, 'unavailable', 'ok'])

    await postgres.resume()
    assert.equal(must(await ada.get('/collections/'), 200).results[0].title, 'Before')
    must(await ada.post('/collections/', { title: 'After' }), 201)
    await waitUntil(async () => (await server.inject('/readyz')).statusCode === 200)
  },
)

test('a locked table holds up who needs it, not for long, and nobody else (postgres)', needsPostgres, async (t) => {
  const { server, ask } = await startOnPostgres(t, { ...TIME_LIMITS, lockMs: 1000 })
  const ada = await server.signIn('ada')
  await ask('begin; lock table comments in access exclusive mode')
  const { id } = must(await ada.post('/collections/', { title: 'Here' }), 201)
  const blocked = Array.from({ length: 30 }, () => ada.get(`/comments/?collection=${id}`))
  await waitUntil(async () => Boolean((await ask(WAITING)).rowCount))
  const unrelated = await Promise.all(Array.from({ length: 5 }, () => ada.get('/collections/')))
  assert.deepEqual(
    unrelated.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  for (const answer of await Promise.all(blocked)) expectOutage(answer)
  await ask('rollback')
  must(await ada.get(`/comments/?collection=${id}`), 200)
})

test('a statement that takes too long is given up (postgres)', needsPostgres, async (t) => {
  const { server } = await startOnPostgres(t, { ...TIME_LIMITS, statementMs: 300 })
  const { db } = server.deps
  await assert.rejects(sql`select pg_sleep(60)`.execute(db), ({ cause }: Error) =>
    /statement timeout/.test(String(cause)),
  )
  await sql`select 1`.execute(db)
})

test('a PostgreSQL that hangs is given up, and so is its connection (postgres)', needsPostgres, async (t) => {
  const { server, ask } = await startOnPostgres(t, { ...TIME_LIMITS, answerMs: 500 })
  const ada = await server.signIn('ada')
  await server.settle()
  const { rows } = await ask(`
    select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query not like 'listen%'`)
  assert.ok(rows.length > 0)
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
  try {
    // Each hung connection costs one caller; the next ones get new connections.
    let outages = 0
    for (;;) {
      const answer = await ada.get('/collections/')
      if (answer.status === 200) break
      expectOutage(answer)
      assert.ok((outages += 1) <= rows.length)
    }
    assert.ok(outages > 0)
  } finally {
    for (const { pid } of rows) process.kill(pid, 'SIGCONT')
  }
})
