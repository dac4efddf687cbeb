import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`10.16 a database from before gets an empty trail that is only added to (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0020-audit-trail')
    await insertOldUser(db)
    await sql`insert into collections (owner_id, title, title_key, admin_desc, created_at)
      values (1, 'Degree', 'degree', '', 1)`.execute(db)
    await migrateTo()

    assert.deepEqual(await db.selectFrom('audit_entries').selectAll().execute(), [])
    await db.insertInto('decisions').values({ collection_id: 1, text: 'Fine' }).execute()
    await db
      .insertInto('audit_entries')
      .values({ at: 1, action: 'collection_rejected', object_kind: 'collection', collection_id: 1, details: '{}' })
      .execute()
    await assert.rejects(sql`update audit_entries set at = 2`.execute(db), /only added to/)
    // What a reviewer wrote goes with its collection; that it was written stays.
    await sql`delete from collections`.execute(db)
    assert.deepEqual(await db.selectFrom('decisions').selectAll().execute(), [])
    assert.equal((await db.selectFrom('audit_entries').select('collection_id').executeTakeFirst())?.collection_id, 1)
  })
