import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { ENGINES, openEmptyDatabase } from '../testing/engines.ts'
import { FEATURES } from '../app.ts'
import { claimFact, findFact } from './instance.ts'
import { checkDatabase, migrate } from './migrate.ts'
import { openSqlite } from './open.ts'

const TABLES = [
  ...FEATURES.flatMap(({ tables = [] }) => tables),
  'audit_links',
  'audit_views',
  'audit_entries',
  'blob_intents',
  'stored_rounds',
  'instance',
  'mail_events',
  'nodes',
  'outbox',
  'collection_grams',
  'proof_grams',
  'ticket_grams',
  'user_grams',
  'collection_counts',
  'proof_counts',
  'ticket_counts',
  'user_counts',
  'log_entries',
  'log_tiles',
  'log_state',
  'log_checkpoints',
  'log_queue',
  'log_commitments',
  'log_withdrawn_leaves',
  'log_cosignatures',
  'log_status_pages',
  'made_once',
].toSorted()

for (const engine of ENGINES) {
  test(`the schema (${engine})`, async (t) => {
    const database = await openEmptyDatabase(t, engine)
    const tables = engine === 'sqlite' ? TABLES : [...TABLES, 'limit_counts'].toSorted()

    await t.test('comes from nothing, and a second start changes nothing', async () => {
      await migrate(database)
      const listTables = async () =>
        (await database.db.introspection.getTables())
          .map((table) => table.name)
          // Those that FTS5 keeps an index in are its own.
          .filter((name) => !/^(kysely|sqlite)_|_grams_/.test(name))
          .sort()
      assert.deepEqual(await listTables(), tables)
      await claimFact(database.db, 'ca_fingerprint', 'kept')
      await migrate(database)
      assert.deepEqual(await listTables(), tables)
      assert.equal(await findFact(database.db, 'ca_fingerprint'), 'kept')
      await checkDatabase(database)
    })

    await t.test('holds ids and times up to 2^53-1 as numbers', async () => {
      const { db } = database
      const owner = { username: 'a', username_key: 'a', email: 'a@b', email_key: 'a@b', first_name: '', last_name: '' }
      const row = await db
        .insertInto('users')
        .values({
          ...owner,
          id: Number.MAX_SAFE_INTEGER,
          recovery_email: 'a@b',
          recovery_email_key: 'a@b',
          phone_number: '',
          is_active: 1,
          is_staff: 0,
          is_admin: 0,
          is_superuser: 0,
          is_email_verified: 0,
          gfa_is_enabled: 0,
          joined_at: Number.MAX_SAFE_INTEGER,
        })
        .returning(['id', 'joined_at'])
        .executeTakeFirstOrThrow()
      assert.deepEqual({ ...row }, { id: Number.MAX_SAFE_INTEGER, joined_at: Number.MAX_SAFE_INTEGER })
      const { count } = await db
        .selectFrom('users')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      assert.equal(count, 1)
    })

    await t.test('a fact is decided once, also by two at once', async () => {
      const claims = [1, 2, 3].map((n) => claimFact(database.db, 'first_superuser', String(n)))
      assert.equal((await Promise.all(claims)).filter(Boolean).length, 1)
    })

    await t.test('refuses rows that point nowhere, and takes a person’s sessions away with them', async () => {
      const { db } = database
      await assert.rejects(db.insertInto('sessions').values({ user_id: 404, created_at: 1, last_used_at: 1 }).execute())
      await db
        .insertInto('sessions')
        .values({ user_id: Number.MAX_SAFE_INTEGER, created_at: 1, last_used_at: 1 })
        .execute()
      await db.deleteFrom('users').execute()
      assert.deepEqual(await db.selectFrom('sessions').selectAll().execute(), [])
    })
  })
}

const MIGRATE = join(import.meta.dirname, '../testing/migrate-process.ts')
/** @returns the number of statements that it sent. */
const migrateElsewhere = async (path: string, most: number[] = []): Promise<number> =>
  Number((await promisify(execFile)(process.execPath, [MIGRATE, path, ...most.map(String)])).stdout)

async function nameFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofdesk-migrate-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'x.sqlite')
}

test('who is killed while the schema is brought up to date leaves nothing half done (sqlite)', async (t) => {
  const statements = await migrateElsewhere(await nameFile(t))
  for (const share of [0.2, 0.5, 0.8]) {
    const path = await nameFile(t)
    await assert.rejects(migrateElsewhere(path, [Math.ceil(statements * share)]), { signal: 'SIGKILL' })
    await migrateElsewhere(path)
  }
})

test('a server and a command that start at once on nothing both find the schema (sqlite)', async (t) => {
  const path = await nameFile(t)
  const counts = await Promise.all([1, 2, 3].map(() => migrateElsewhere(path)))
  assert.ok(Math.min(...counts) > 0)
})

test('a transaction holds the write lock from its beginning (sqlite)', async (t) => {
  const path = await nameFile(t)
  const database = openSqlite(path)
  const impatient = new DatabaseSync(path, { timeout: 0 })
  t.after(async () => {
    impatient.close()
    await database.close()
  })
  await migrate(database)
  // Had it only read so far, another process could write now, and its own write would fail without waiting.
  const claimed = await database.db.transaction().execute(async (transaction) => {
    await findFact(transaction, 'ca_fingerprint')
    assert.throws(() => impatient.exec("insert into instance values ('x', 'y')"), /locked/)
    return claimFact(transaction, 'ca_fingerprint', '1')
  })
  assert.equal(claimed, true)
  impatient.exec("insert into instance values ('x', 'y')")
})
