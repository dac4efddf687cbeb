import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`proofs from before stay, and have no MAC yet (${engine})`, async (t) => {
    const { db, old, migrateTo } = await openBefore(t, engine, '0013-proof-macs')
    await insertOldUser(db)
    const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await old
      .insertInto('proofs')
      .values({
        proofid: 'AAAA',
        collection_id: null,
        owner_id: id,
        reviewer_id: id,
        title: 'x',
        title_key: 'x',
        username: 'ada',
        reviewer_username: 'sam',
        admin_desc: 'Fine',
        approved_at: 1,
        seed: '00',
        revision0_sha256: '',
        revision0_size: 0,
        revision0_facts: '',
        pages: 1,
        state: 'published',
      })
      .execute()

    await migrateTo()

    const [proof] = await db.selectFrom('proofs').selectAll().execute()
    assert.deepEqual([proof?.proofid, proof?.claim_mac, proof?.seal_mac], ['AAAA', null, null])
  })
