import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Kysely } from 'kysely'
import { ENGINES, openEmptyDatabase } from '../../testing/engines.ts'
import { createFirstTables } from './0001-first.ts'
import { addProofMacs } from './0013-proof-macs.ts'

for (const engine of ENGINES)
  test(`proofs from before stay, and have no MAC yet (${engine})`, async (t) => {
    const { db, engine: kind } = await openEmptyDatabase(t, engine)
    await createFirstTables(db as Kysely<unknown>, kind)
    const person = { first_name: '', last_name: '', phone_number: '', joined_at: 1 }
    const schemaless = db as unknown as Kysely<Record<string, Record<string, unknown>>>
    await schemaless
      .insertInto('users')
      .values({ ...person, username: 'ada', username_key: 'ada', email: 'a@x.test', email_key: 'a@x.test' })
      .execute()
    const { id } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    await schemaless
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

    await addProofMacs(db as Kysely<unknown>)

    const [proof] = await db.selectFrom('proofs').selectAll().execute()
    assert.deepEqual([proof?.proofid, proof?.claim_mac, proof?.seal_mac], ['AAAA', null, null])
  })
