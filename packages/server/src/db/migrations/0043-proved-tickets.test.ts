import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`of tickets from before those count as proved whose browser has used a mailed link (${engine})`, async (t) => {
    const { db, old, migrateTo } = await openBefore(t, engine, '0043-proved-tickets')
    await insertOldUser(db, 'ada', 'ada@b.c')
    await sql`insert into recovery_codes (user_id, hash) values (1, 'r')`.execute(db)
    await sql`insert into visitors (hash, expires_at) values ('v', 9), ('w', 9)`.execute(db)
    await sql`insert into visitor_addresses (visitor_id, email_key) values (1, 'v@b.c')`.execute(db)
    await sql`insert into tickets (title, title_key, owner_id, email, email_key, visitor_id, status, is_locked, created_at)
      values ('proved', 'x', null, 'v@b.c', 'v@b.c', 1, 'OPEN', 0, 1), ('other address', 'x', null, 'w@b.c', 'w@b.c', 1, 'OPEN', 0, 1),
        ('other browser', 'x', null, 'v@b.c', 'v@b.c', 2, 'OPEN', 0, 1), ('forgotten', 'x', null, 'v@b.c', 'v@b.c', null, 'OPEN', 0, 1),
        ('of a person', 'x', 1, null, null, null, 'OPEN', 0, 1)`.execute(db)
    await migrateTo()

    const proved = await old.selectFrom('tickets').select('title').where('is_address_proved', '=', 1).execute()
    assert.deepEqual(proved, [{ title: 'proved' }])
    assert.deepEqual(await old.selectFrom('recovery_codes').select('made_at').execute(), [{ made_at: 0 }])
  })
