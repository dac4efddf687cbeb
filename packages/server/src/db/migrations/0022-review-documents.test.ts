import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`11.9 of a database from before, the document of what waits is prepared, and nothing else changes (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0021-submissions')
    await insertOldUser(db)
    await sql`insert into collections (owner_id, title, title_key, admin_desc, created_at, is_locked, proofid, submitted_at)
      values (1, 'Waits', 'waits', '', 2, 1, null, 7), (1, 'Empty', 'empty', '', 3, 1, null, 8),
        (1, 'Claimed', 'claimed', '', 4, 1, null, 9), (1, 'Back', 'back', '', 5, 1, null, 10)`.execute(db)
    for (const id of [1, 3, 4])
      await sql`insert into contents (collection_id, title, title_key, title_type, type, file_name, blob_key, size, pages,
        sha256, created_at, position) values (${id}, 'Scan', 'scan', 'OTHER', 'PDF', 'scan.pdf', ${`key ${id}`}, 9, 3,
        'hash', 1, 1)`.execute(db)
    await migrateTo()
    const digests = await sql<{ id: number; digest: string }>`select id, digest from submissions order by id`.execute(
      db,
    )
    await sql`update collections set claim_id = 5 where id = 3`.execute(db)
    await sql`update collections set is_locked = 0 where id = 4`.execute(db)
    await sql`update submissions set outcome = 'rejected' where collection_id = 4`.execute(db)
    await migrateTo('0022-review-documents')

    const digestOf = (id: number) => digests.rows[id - 1]?.digest
    const collections = await db.selectFrom('collections').select(['digest', 'document_state']).orderBy('id').execute()
    assert.deepEqual(
      collections.map((row) => [row.digest, row.document_state]),
      [
        [null, 'preparing'],
        [digestOf(2), 'none'],
        [digestOf(3), 'none'],
        [digestOf(4), 'none'],
      ],
    )
    const submissions = await db.selectFrom('submissions').select(['digest', 'document_state']).orderBy('id').execute()
    assert.deepEqual(
      submissions.map((row) => [row.digest, row.document_state]),
      collections.map((row) => [row.digest, row.document_state]),
    )
    const work = await db.selectFrom('outbox').select(['kind', 'payload']).execute()
    assert.deepEqual(
      work.map((row) => [row.kind, JSON.parse(row.payload)]),
      [['prepare_document', { submission_id: 1 }]],
    )
  })
