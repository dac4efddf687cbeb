import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, startTestServer } from '../testing.ts'
import { issueRich } from '../testing/erasure.ts'
import { isReferenced, listReferencedFiles } from './queries.ts'

for (const engine of ENGINES)
  test(`each file that a row points at is named with its row, under whichever column it stands (${engine})`, async (t) => {
    const server = await startTestServer(t, engine)
    const { db } = server.deps
    await issueRich(await server.signIn('ada'), await server.signIn('sam', { is_staff: true }))
    await server.settle()
    await db.updateTable('contents').set({ thumbnail_key: 'thumbnails/a' }).execute()
    await db.updateTable('proofs').set({ revision0_key: 'proofs/a' }).execute()
    await db.updateTable('submissions').set({ document_key: 'documents/a' }).execute()
    const rows = await Promise.all([
      db.selectFrom('contents').select(['blob_key', 'thumbnail_key']).execute(),
      db.selectFrom('proofs').select(['revision0_key', 'sealed_key']).execute(),
      db.selectFrom('submissions').select('document_key').execute(),
    ])
    const keys = rows.flat().flatMap((row) => Object.values(row).filter((key) => key !== null))
    const files = await listReferencedFiles(db)
    assert.ok(keys.length >= 5)
    assert.deepEqual(files.map(({ key }) => key).toSorted(), keys.toSorted())
    for (const file of files) {
      assert.equal(await isReferenced(db, file), true, file.key)
      assert.equal(await isReferenced(db, { ...file, key: 'another' }), false)
      assert.equal(await isReferenced(db, { ...file, id: file.id + 1000 }), false)
    }
  })
