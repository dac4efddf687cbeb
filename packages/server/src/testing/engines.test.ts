import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { claimFact, findFact } from '../db/instance.ts'
import { openPostgres } from '../db/open.ts'
import { ENGINES, makeTestDatabase, openEmptyDatabase } from './engines.ts'
import { hasRealPostgres, makeRealDatabase } from './real-postgres.ts'

test('each test of a query runs on a real PostgreSQL, too', async (t) => {
  if (!hasRealPostgres) {
    assert.notEqual(process.env.CI, 'true', 'PostgreSQL (Debian package postgresql) is not installed')
    t.skip('PostgreSQL is not installed')
    return
  }
  assert.deepEqual(ENGINES, ['sqlite', 'postgres'])
  const database = await openEmptyDatabase(t, 'postgres')
  const { rows } = await sql<{ version: string }>`select version()`.execute(database.db)
  assert.match(rows[0]?.version ?? '', /^PostgreSQL 1\d/)
  // WASM has one process, so it could not be in two transactions at once.
  await database.db.transaction().execute(async (one) => {
    await database.db.transaction().execute(async (other) => {
      const ask = async (db: typeof one) =>
        (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
      assert.notEqual(await ask(one), await ask(other))
    })
  })
})

for (const engine of ENGINES)
  test(`a test's database outlives a restart and is nobody else's (${engine})`, async (t) => {
    const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), 'proofdesk-engine-'))))
    const [mine, other] = folders.map((folder) => makeTestDatabase(engine, folder))
    assert.ok(mine && other)
    t.after(async () => {
      await Promise.all([mine.drop(), other.drop()])
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
    })
    const first = await mine.open()
    await claimFact(first.db, 'ca_fingerprint', 'mine')
    await first.close()
    const [again, beside] = [await mine.open(), await other.open()]
    assert.equal(await findFact(again.db, 'ca_fingerprint'), 'mine')
    assert.equal(await findFact(beside.db, 'ca_fingerprint'), undefined)
    await Promise.all([again.close(), beside.close()])
  })

test('of a dropped database nothing stays', { skip: !hasRealPostgres && 'PostgreSQL is not installed' }, async () => {
  const real = await makeRealDatabase('migrated')
  await real.drop()
  const database = openPostgres(real.url, { maxConnections: 1 })
  await assert.rejects(sql`select 1`.execute(database.db), ({ cause }: Error) => /does not exist/.test(String(cause)))
  await database.close()
})
