import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { isUniqueViolation } from '../unique-violation.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`contents from before have no upload id, and one id makes one content of a collection (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0017-upload-ids')
    await insertOldUser(db)
    for (const title of ['Degree', 'Diploma'])
      await sql`insert into collections (owner_id, title, title_key, admin_desc, created_at)
        values (1, ${title}, ${title}, '', 1)`.execute(db)
    const add = (key: string, collection = 1, columns = sql``, values = sql``) =>
      sql`insert into contents (collection_id, title, title_key, title_type, type, file_name, blob_key, size, pages, sha256,
        created_at ${columns}) values (${collection}, 'x', 'x', 'TYPE1', 'PDF', 'a.pdf', ${key}, 5, 1, 'ff', 1 ${values})`.execute(
        db,
      )
    await add('a')
    await add('b')
    await migrateTo()

    const addById = (key: string, collection: number) => add(key, collection, sql`, upload_id`, sql`, 'ee'`)
    await addById('c', 1)
    await addById('d', 2)
    await assert.rejects(addById('e', 1), isUniqueViolation)
    const rows = await db.selectFrom('contents').select('upload_id').orderBy('blob_key').execute()
    assert.deepEqual(
      rows.map((row) => row.upload_id),
      [null, null, 'ee', 'ee'],
    )
  })
