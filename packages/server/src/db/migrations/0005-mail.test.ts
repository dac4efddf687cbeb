import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeMailEvent } from '../../mail/queries.ts'
import { listFailing } from '../../outbox/queries.ts'
import { ENGINES } from '../../testing/engines.ts'
import { openBefore } from './testing.ts'

for (const engine of ENGINES) {
  test(`mails that waited before go on waiting, and the newest event of a name replaces the one before (${engine})`, async (t) => {
    const { db, old, migrateTo } = await openBefore(t, engine, '0005-mail')
    const waiting = { kind: 'reset_mail', payload: '{"user_id":1}', attempts: 1, due_at: 5, created_at: 4 }
    await old
      .insertInto('outbox')
      .values({ ...waiting, last_error: 'ESOCKET' })
      .execute()
    await migrateTo()

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
