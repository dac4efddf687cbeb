import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { ENGINES } from '../../testing.ts'
import { openSqlite, type OpenDatabase } from '../open.ts'
import type { Tables } from '../schema.ts'
import { createFirstTables } from './0001-first.ts'
import { addTwoFactor } from './0003-two-factor.ts'

async function openEmpty(engine: (typeof ENGINES)[number], dir: string): Promise<OpenDatabase> {
  if (engine === 'sqlite') return openSqlite(join(dir, 'before.sqlite'))
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: await PGlite.create() }) })
  return { engine, db, reads: db, close: () => db.destroy() }
}

const BEFORE = { first_name: '', last_name: '', phone_number: '', joined_at: 1 }

for (const engine of ENGINES) {
  test(`accounts from before get the address a reset goes to (${engine})`, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'proofdesk-test-'))
    const database = await openEmpty(engine, dir)
    t.after(async () => {
      await database.close()
      await rm(dir, { recursive: true, force: true })
    })
    const schemaless = database.db as unknown as Kysely<{ users: Record<string, unknown> }>
    await createFirstTables(database.db as Kysely<unknown>, engine)
    await schemaless
      .insertInto('users')
      .values([
        {
          ...BEFORE,
          username: 'a',
          username_key: 'a',
          email: 'Ada@x.test',
          email_key: 'ada@x.test',
          verified_email: null,
        },
        {
          ...BEFORE,
          username: 'b',
          username_key: 'b',
          email: 'b@x.test',
          email_key: 'b@x.test',
          verified_email: 'B@y.test',
        },
      ])
      .execute()
    await addTwoFactor(database.db as Kysely<unknown>, engine)
    const rows = await database.db
      .selectFrom('users')
      .select(['recovery_email', 'recovery_email_key', 'gfa_is_enabled'])
      .orderBy('username')
      .execute()
    assert.deepEqual(JSON.parse(JSON.stringify(rows)), [
      { recovery_email: 'Ada@x.test', recovery_email_key: 'ada@x.test', gfa_is_enabled: 0 },
      { recovery_email: 'B@y.test', recovery_email_key: 'b@y.test', gfa_is_enabled: 0 },
    ])
    for (const table of ['authenticators', 'challenges', 'recovery_codes', 'email_changes'] as const)
      assert.deepEqual(await database.db.selectFrom(table).selectAll().execute(), [])
  })
}
