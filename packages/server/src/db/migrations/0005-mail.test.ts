import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { writeMailEvent } from '../../mail/queries.ts'
import { listFailing } from '../../outbox/queries.ts'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addMailState } from './0005-mail.ts'

for (const engine of ENGINES) {
  test(`mails that waited before go on waiting, and the newest event of a name replaces the one before (${engine})`, async (t) => {
    const { db, engine: kind } = await openEmptyDatabase(t, engine)
    await createFirstTables(db as Kysely<unknown>, kind)
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
