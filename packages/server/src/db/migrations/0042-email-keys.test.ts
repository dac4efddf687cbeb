import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ENGINES } from '../../testing/engines.ts'
import { insertOldUser, openBefore } from './testing.ts'

for (const engine of ENGINES)
  test(`addresses that were taken for another domain’s are their own again, and proved once more (${engine})`, async (t) => {
    const { db, old, migrateTo } = await openBefore(t, engine, '0042-email-keys')
    await insertOldUser(db, 'ada', 'Ada@Example.org')
    await insertOldUser(db, 'eve', 'ada@example2.org')
    await insertOldUser(db, 'mallory', 'ada@example3.org')
    await old
      .updateTable('users')
      .set({ email: 'Ada@Straße.de', email_key: 'ada@strasse.de', recovery_email: 'ada@straße.de' })
      .where('username', '=', 'eve')
      .execute()
    await old
      .updateTable('users')
      .set({ email: 'ada@straße.de', email_key: 'ada@strasse.de 3' })
      .where('username', '=', 'mallory')
      .execute()
    await sql`insert into email_changes (user_id, old_email, held_email_key, changed_at)
      values (1, 'ı@b.c', 'i@b.c', 1), (1, 'ß@b.c', null, 1)`.execute(db)
    await sql`insert into visitors (hash, expires_at) values ('v', 9), ('w', 9)`.execute(db)
    await sql`insert into visitor_addresses (visitor_id, email_key) values (1, 'i@b.c'), (1, 'x@b.c'), (2, 'i@b.c')`.execute(
      db,
    )
    await sql`insert into ticket_links (hash, email, email_key, expires_at) values ('l', 'ı@b.c', 'i@b.c', 9)`.execute(
      db,
    )
    await sql`insert into tickets (title, title_key, email, email_key, visitor_id, status, is_locked, created_at)
      values ('T', 't', 'ı@b.c', 'i@b.c', 1, 'OPEN', 0, 1), ('U', 'u', 'I@b.c', 'i@b.c', null, 'OPEN', 0, 1)`.execute(
      db,
    )
    await migrateTo()

    const read = async (table: string, column: string, by: string) =>
      (await old.selectFrom(table).select(column).orderBy(by).execute()).map((row) => row[column])
    assert.deepEqual(await read('users', 'email_key', 'id'), ['ada@example.org', 'ada@straße.de', 'ada@straße.de 3'])
    assert.equal((await read('users', 'recovery_email_key', 'id'))[1], 'ada@straße.de')
    assert.deepEqual(await read('email_changes', 'held_email_key', 'id'), ['ı@b.c', null])
    assert.deepEqual(await read('ticket_links', 'email_key', 'hash'), ['ı@b.c'])
    assert.deepEqual(await read('tickets', 'email_key', 'id'), ['ı@b.c', 'i@b.c'])
    assert.deepEqual(await read('visitor_addresses', 'email_key', 'email_key'), ['x@b.c'])
  })
