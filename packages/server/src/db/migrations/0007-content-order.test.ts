import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { listContents } from '../../features/contents/queries.ts'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addTwoFactor } from './0003-two-factor.ts'
import { addThumbnails } from './0006-thumbnails.ts'
import { addContentOrder } from './0007-content-order.ts'
import { addUploadIds } from './0017-upload-ids.ts'

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

for (const engine of ENGINES)
  test(`files from before keep their order (${engine})`, async (t) => {
    const { db, engine: kind } = await openEmptyDatabase(t, engine)
    await createFirstTables(db as Kysely<unknown>, kind)
    await addTwoFactor(db as Kysely<unknown>, kind)
    await addThumbnails(db as Kysely<unknown>)
    const schemaless = db as unknown as Kysely<Record<string, Record<string, unknown>>>
    await schemaless.insertInto('users').values(ADA).execute()
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
      await schemaless
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

    await addContentOrder(db as Kysely<unknown>)
    await addUploadIds(db as Kysely<unknown>)

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
