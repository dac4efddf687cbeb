import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import { writeMailEvent } from '../../mail/queries.ts'
import { listFailing } from '../../outbox/queries.ts'
import { ENGINES } from '../../testing/engines.ts'
import { openSqlite, type OpenDatabase } from '../open.ts'
import type { Tables } from '../schema.ts'
import { createFirstTables } from './0001-first.ts'
import { addMailState } from './0005-mail.ts'

async function openEmpty(engine: (typeof ENGINES)[number], dir: string): Promise<OpenDatabase> {
  if (engine === 'sqlite') return openSqlite(join(dir, 'before.sqlite'))
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: await PGlite.create() }) })
  return { engine, db, reads: db, close: () => db.destroy() }
}

for (const engine of ENGINES) {
  test(`mails that waited before go on waiting, and the newest event of a name replaces the one before (${engine})`, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'proofdesk-test-'))
    const { db, close } = await openEmpty(engine, dir)
    t.after(async () => {
      await close()
      await rm(dir, { recursive: true, force: true })
    })
    await createFirstTables(db as Kysely<unknown>, engine)
    const schemaless = db as unknown as Kysely<{ outbox: Record<string, unknown> }>
    const waiting = { kind: 'reset_mail', payload: '{"user_id":1}', attempts: 1, due_at: 5, created_at: 4 }
    await schemaless
      .insertInto('outbox')
      .values({ ...waiting, last_error: 'ESOCKET' })
      .execute()
    await addMailState(db as Kysely<unknown>)

    const [row] = await listFailing(db, ['reset_mail'], 1)
    assert.deepEqual([row?.payload, row?.reason, row?.words], [{ user_id: 1 }, 'ESOCKET', null])
    const none = { recipient: null, problem: null, words: null }
    await writeMailEvent(db, { name: 'delivered', at: 6, ...none })
    await writeMailEvent(db, { name: 'delivered', at: 7, ...none })
    assert.deepEqual(
      (await db.selectFrom('mail_events').selectAll().execute()).map((event) => ({ ...event })),
      [{ name: 'delivered', at: 7, ...none }],
    )
  })
}
