import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES) {
  test(`contents from before stay, and have no thumbnail yet (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0006-thumbnails')
    await insertOldUser(db)
    await sql`insert into collections (owner_id, title, title_key, admin_desc, created_at)
      values (1, 'Degree', 'degree', '', 1)`.execute(db)
    await sql`insert into contents
      (collection_id, title, title_key, title_type, type, file_name, blob_key, size, pages, sha256, created_at)
      values (1, 'TYPE1', 'type1', 'TYPE1', 'PDF', 'a.pdf', 'originals/aa', 5, 1, 'ff', 1)`.execute(db)

    await migrateTo()

    const columns = ['blob_key', 'thumbnail_state', 'thumbnail_key', 'thumbnail_size', 'thumbnail_sha256'] as const
    const rows = await db.selectFrom('contents').select(columns).execute()
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        {
          blob_key: 'originals/aa',
          thumbnail_state: 'missing',
          thumbnail_key: null,
          thumbnail_size: null,
          thumbnail_sha256: null,
        },
      ],
    )
  })
}
