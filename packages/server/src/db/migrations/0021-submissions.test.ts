import { digestSubmission } from '@proofdesk/proof/submission-digest'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`11.9 of a database from before, what waits is its first submission, and nothing else is one (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0021-submissions')
    await insertOldUser(db)
    await sql`insert into collections (owner_id, title, title_key, admin_desc, created_at, is_locked, proofid, submitted_at)
      values (1, 'Open', 'open', '', 1, 0, null, 5), (1, 'Waits', 'waits', '', 2, 1, null, 7),
        (1, 'Done', 'done', '', 3, 1, 'X', 6), (1, 'Empty', 'empty', '', 4, 1, null, null)`.execute(db)
    for (const [name, position] of [
      ['second.pdf', 2],
      ['first.pdf', 1],
    ] as const)
      await sql`insert into contents (collection_id, title, title_key, title_type, type, file_name, blob_key, size, pages,
        sha256, created_at, position) values (2, ${name}, ${name}, 'OTHER', 'PDF', ${name}, ${name}, 9, 3, ${`hash of ${name}`},
        1, ${position})`.execute(db)
    await migrateTo()

    const file = (name: string) => ({ title: name, fileName: name, type: 'PDF', sha256: `hash of ${name}` })
    const files = [file('first.pdf'), file('second.pdf')]
    const digest = digestSubmission({ number: 1, title: 'Waits', username: 'ada', files })
    const empty = digestSubmission({ number: 1, title: 'Empty', username: 'ada', files: [] })
    const collections = await db
      .selectFrom('collections')
      .select(['title', 'submission_number', 'digest'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      collections.map((row) => [row.title, row.submission_number, row.digest]),
      [
        ['Open', 0, null],
        ['Waits', 1, digest],
        ['Done', 0, null],
        ['Empty', 1, empty],
      ],
    )
    const submissions = await db.selectFrom('submissions').selectAll().orderBy('id').execute()
    assert.deepEqual(
      submissions.map((row) => [row.collection_id, row.number, row.title, row.sent_at, row.outcome]),
      [
        [2, 1, 'Waits', 7, 'waiting'],
        [4, 1, 'Empty', 4, 'waiting'],
      ],
    )
    const kept = await db.selectFrom('submission_files').select(['place', 'file_name', 'pages']).execute()
    assert.deepEqual(
      kept.map((row) => ({ ...row })),
      [
        { place: 1, file_name: 'first.pdf', pages: 3 },
        { place: 2, file_name: 'second.pdf', pages: 3 },
      ],
    )
  })
