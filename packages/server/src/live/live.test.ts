import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openPostgres } from '../db/open.ts'
import { openLogger } from '../logger.ts'
import { startTestServer } from '../testing.ts'
import { hasRealPostgres, makeRealDatabase } from '../testing/real-postgres.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openLive, type Change } from './live.ts'

const needsPostgres = { timeout: 120_000, skip: !hasRealPostgres && 'PostgreSQL is not installed' }

test('hints between processes (postgres)', needsPostgres, async (t) => {
  const postgres = await makeRealDatabase('empty')
  t.after(() => postgres.drop())
  const lines: string[] = []
  const logger = openLogger('debug', (line) => lines.push(line))
  async function openProcess(url: string) {
    const database = openPostgres(url)
    const live = openLive(database, logger)
    const heard: (Change | 'everything')[] = []
    live.subscribe((change) => heard.push(change))
    await live.start()
    const close = async () => {
      await live.close()
      await database.close()
    }
    return { database, live, heard, close }
  }
  const [one, two] = [await openProcess(postgres.url), await openProcess(postgres.url)]

  await t.test('what one process tells, every process hears once, the one that told included', async () => {
    one.live.tell({ topics: ['notifications', 'comments'], user: 7 })
    await waitUntil(() => one.heard.length > 0 && two.heard.length > 0)
    await pause(200)
    assert.deepEqual(one.heard, [{ topics: ['notifications', 'comments'], user: 7 }])
    assert.deepEqual(two.heard, one.heard)
  })

  await t.test('a message nobody understands is logged and does no harm', async () => {
    for (const payload of ['', '{', '[{"topics": 3}]', '[{"topics": ["notifications"], "user": "7"}]'])
      await sql`select pg_notify('proofdesk_live', ${payload})`.execute(one.database.db)
    await sql`select pg_notify('proofdesk_live', ${'[{"topics": ["of tomorrow", "comments"]}]'})`.execute(
      one.database.db,
    )
    await waitUntil(() => one.heard.length === 2 && two.heard.length === 2)
    assert.deepEqual(two.heard[1], { topics: ['comments'] })
    assert.equal(lines.filter((line) => line.includes('was not understood')).length, 8)
  })

  await t.test('after a lost connection it listens again, and says that hints may have been missed', async () => {
    one.heard.length = 0
    two.heard.length = 0
    await postgres.cutConnections()
    await waitUntil(() => one.heard.includes('everything') && two.heard.includes('everything'))
    two.live.tell({ topics: ['collections'], reviewers: true })
    await waitUntil(() => one.heard.length === 2 && two.heard.length === 2)
    assert.deepEqual(one.heard[1], { topics: ['collections'], reviewers: true })
  })

  await t.test('closing ends the connection and nothing is heard any more', async () => {
    two.heard.length = 0
    await two.close()
    one.heard.length = 0
    one.live.tell({ topics: ['comments'], user: 1 })
    await waitUntil(() => one.heard.length === 1)
    assert.deepEqual(two.heard, [])
    const listeners = sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where query like 'listen%' and datname = current_database()`
    // PostgreSQL ends what served a connection a moment after that has closed.
    await waitUntil(async () => (await listeners.execute(one.database.db)).rows[0]?.n === 1)
    await one.close()
  })
})

test('where the database cannot be told, that is logged, and this process hears it all the same (postgres)', async (t) => {
  const lines: string[] = []
  const database = openPostgres('postgres://nobody@127.0.0.1:1/nothing')
  t.after(() => database.close())
  const live = openLive(
    database,
    openLogger('debug', (line) => lines.push(line)),
  )
  const heard: unknown[] = []
  live.subscribe((change) => heard.push(change))
  live.tell({ topics: ['comments'], user: 1 })
  await waitUntil(() => heard.length === 1)
  assert.match(lines.join('\n'), /telling the other processes failed/)
})

test('hints stay within the process (sqlite)', async (t) => {
  const server = await startTestServer(t, 'sqlite')
  const heard: unknown[] = []
  const stop = server.deps.live.subscribe((change) => heard.push(change))
  server.deps.live.tell({ topics: ['comments'], user: 1 })
  assert.deepEqual(heard, [{ topics: ['comments'], user: 1 }])
  stop()
  server.deps.live.tell({ topics: ['comments'], user: 1 })
  assert.equal(heard.length, 1)
})
