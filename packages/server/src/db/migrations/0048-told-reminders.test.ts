import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`what day-marks have told of and passed over is known of each proof (${engine})`, async (t) => {
    const { db, old, migrateTo } = await openBefore(t, engine, '0048-told-reminders')
    await insertOldUser(db)
    // Passed over, told in its time, told too early by a clock that ran ahead, and still to be told.
    for (const expireTime of [5, 15, 105, 500, null])
      await sql`insert into proofs (proofid, owner_id, reviewer_id, title, title_key, username, reviewer_username, admin_desc,
        approved_at, expire_time, current_expire_time, seed, revision0_sha256, revision0_size, revision0_facts, pages, state)
        values (${`p${expireTime}`}, 1, 1, 'T', 't', 'ada', 'ada', 'Fine', 1, ${expireTime}, ${expireTime}, '', '', 0, '', 1,
          'published')`.execute(db)
    await sql`insert into reminder_marks (days, reached, reached_id, skipped_from, skipped_until, ahead_from, ahead_until, ahead_id)
      values (30, 20, 9, 0, 10, 100, 110, 3), (7, 10, 9, null, null, null, null, null)`.execute(db)
    await migrateTo()
    const told = await old.selectFrom('told_reminders').selectAll().orderBy('days').orderBy('proof_id').execute()
    assert.deepEqual(
      told.map(({ days, proof_id, expire_time }) => [days, proof_id, expire_time]),
      [
        [7, 1, 5],
        [30, 2, 15],
        [30, 3, 105],
      ],
    )
    assert.deepEqual(await old.selectFrom('reminder_marks').selectAll().orderBy('days').execute(), [
      { days: 7, reached: 10, reached_id: 9, passed_over: '[]' },
      { days: 30, reached: 20, reached_id: 9, passed_over: '[[0,10]]' },
    ])
  })
