import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listContents } from '../../features/contents/queries.ts'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`files from before keep their order (${engine})`, async (t) => {
    const { db, old, migrateTo } = await openBefore(t, engine, '0007-content-order')
    await insertOldUser(db)
    const { id: owner } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const { id: collection } = await db
      .insertInto('collections')
      .values({ owner_id: owner, title: 'x', title_key: 'x', is_locked: 0, admin_desc: '', created_at: 1, revision: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [name, at] of [
      ['second', 20],
      ['first', 10],
      ['third', 20],
    ] as const)
      await old
        .insertInto('contents')
        .values({
          collection_id: collection,
          title: 'TYPE1',
          title_key: 'type1',
          title_type: 'TYPE1',
          type: 'PDF',
          file_name: name,
          blob_key: name,
          size: 1,
          pages: 1,
          sha256: '',
          created_at: at,
        })
        .execute()

    // Up to the version whose rows today's query reads.
    await migrateTo('0052-pictured')

    const listed = await listContents(db, collection, { by: 'position', direction: 'asc' })
    assert.deepEqual(
      listed.map((content) => content.file_name),
      ['first', 'second', 'third'],
    )
    assert.deepEqual(
      listed.map((content) => content.position),
      [0, 0, 0],
    )
  })
