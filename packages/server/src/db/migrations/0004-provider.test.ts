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
import { addProviderLogin } from './0004-provider.ts'

async function openEmpty(engine: (typeof ENGINES)[number], dir: string): Promise<OpenDatabase> {
  if (engine === 'sqlite') return openSqlite(join(dir, 'before.sqlite'))
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: await PGlite.create() }) })
  return { engine, db, reads: db, close: () => db.destroy() }
}

const ADA = {
  username: 'ada',
  username_key: 'ada',
  email: 'ada@x.test',
  email_key: 'ada@x.test',
  verified_email: null,
  recovery_email: 'ada@x.test',
  recovery_email_key: 'ada@x.test',
  first_name: '',
  last_name: '',
  phone_number: '',
  joined_at: 1,
}

for (const engine of ENGINES) {
  test(`accounts from before stay, and what is remembered of a provider ends with its person (${engine})`, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'proofdesk-test-'))
    const { db, close } = await openEmpty(engine, dir)
    t.after(async () => {
      await close()
      await rm(dir, { recursive: true, force: true })
    })
    await createFirstTables(db as Kysely<unknown>, engine)
    await addTwoFactor(db as Kysely<unknown>, engine)
    const schemaless = db as unknown as Kysely<{ users: Record<string, unknown> }>
    await schemaless.insertInto('users').values(ADA).execute()
    await addProviderLogin(db as Kysely<unknown>, engine)

    const { id } = await db.selectFrom('users').select('id').where('email', '=', ADA.email).executeTakeFirstOrThrow()
    await db.insertInto('provider_uses').values({ hash: 'u', expires_at: Date.now() }).execute()
    await db.insertInto('provider_entries').values({ hash: 'e', user_id: id, expires_at: Date.now() }).execute()
    await assert.rejects(db.insertInto('provider_uses').values({ hash: 'u', expires_at: 2 }).execute())
    await db.deleteFrom('users').execute()
    assert.deepEqual(await db.selectFrom('provider_entries').selectAll().execute(), [])
  })
}
