import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`13.4 of a database from before, each proof holds for as long as was decided (${engine})`, async (t) => {
    const { db, migrateTo } = await openBefore(t, engine, '0027-proof-changes')
    await insertOldUser(db)
    for (const [proofid, expireTime] of [
      ['ends', 5],
      ['never', null],
    ] as const)
      await sql`insert into proofs (proofid, owner_id, reviewer_id, title, title_key, username, reviewer_username, admin_desc,
        approved_at, expire_time, seed, revision0_sha256, revision0_size, revision0_facts, pages, state)
        values (${proofid}, 1, 1, 'T', 't', 'ada', 'ada', 'Fine', 1, ${expireTime}, '', '', 0, '', 1, 'published')`.execute(
        db,
      )
    await migrateTo()
    const rows = await db
      .selectFrom('proofs')
      .select(['proofid', 'current_expire_time', 'revoked_at', 'revocation_reason', 'change_count'])
      .orderBy('id')
      .execute()
    const untouched = { revoked_at: null, revocation_reason: null, change_count: 0 }
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { proofid: 'ends', current_expire_time: 5, ...untouched },
        { proofid: 'never', current_expire_time: null, ...untouched },
      ],
    )
  })
