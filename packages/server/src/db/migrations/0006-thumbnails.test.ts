import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { ENGINES } from '../../testing.ts'
import { openSqlite, type OpenDatabase } from '../open.ts'
import type { Tables } from '../schema.ts'
import { createFirstTables } from './0001-first.ts'
import { addThumbnails } from './0006-thumbnails.ts'

async function openEmpty(engine: (typeof ENGINES)[number], dir: string): Promise<OpenDatabase> {
  if (engine === 'sqlite') return openSqlite(join(dir, 'before.sqlite'))
  const db = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: await PGlite.create() }) })
  return { engine, db, reads: db, close: () => db.destroy() }
}

for (const engine of ENGINES) {
  test(`contents from before stay, and have no thumbnail yet (${engine})`, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'proofdesk-test-'))
    const { db, close } = await openEmpty(engine, dir)
    t.after(async () => {
      await close()
      await rm(dir, { recursive: true, force: true })
    })
    await createFirstTables(db as Kysely<unknown>, engine)
    // With the columns of that time: today's queries may know more of them.
    await sql`insert into users
      (username, username_key, email, email_key, first_name, last_name, phone_number, joined_at)
      values ('ada', 'ada', 'a@b', 'a@b', '', '', '', 1)`.execute(db)
    await sql`insert into collections (owner_id, title, title_key, admin_desc, created_at)
      values (1, 'Degree', 'degree', '', 1)`.execute(db)
    await sql`insert into contents
      (collection_id, title, title_key, title_type, type, file_name, blob_key, size, pages, sha256, created_at)
      values (1, 'TYPE1', 'type1', 'TYPE1', 'PDF', 'a.pdf', 'originals/aa', 5, 1, 'ff', 1)`.execute(db)

    await addThumbnails(db as Kysely<unknown>)

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
