import { sql, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/**
 * Titles of what notifications tell about, and how far each person has read a ticket. Those who took part in a ticket
 * before have seen all of it.
 */
export async function addTitlesAndReads(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  await db.schema.alterTable('notifications').addColumn('title', 'text').execute()
  // A number, by which each is found at once: of many notifications and many collections each pair would be looked at.
  const id =
    engine === 'sqlite'
      ? sql`cast(notifications.path as integer)`
      : sql`case when notifications.path ~ '^[0-9]{1,18}$' then notifications.path::bigint end`
  await sql`update notifications set title =
    (select c.title from collections as c where c.id = ${id} and cast(c.id as text) = notifications.path)
    where type = 'REJECTED_COLLECTION'`.execute(db)
  await sql`update notifications set title =
    (select t.title from tickets as t where t.id = ${id} and cast(t.id as text) = notifications.path)
    where type = 'ANSWER_TICKET'`.execute(db)

  await db.schema
    .alterTable('tickets')
    .addColumn('visitor_seen', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update tickets set visitor_seen = message_count`.execute(db)
  await db.schema
    .createTable('ticket_reads')
    .addColumn('ticket_id', idType, (c) => c.notNull().references('tickets.id').onDelete('cascade'))
    .addColumn('user_id', idType, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('seen', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('ticket_reads_key', ['ticket_id', 'user_id'])
    .execute()
  await sql`insert into ticket_reads (ticket_id, user_id, seen)
    select id, owner_id, message_count from tickets where owner_id is not null
    union
    select id, admin_id, message_count from tickets where admin_id is not null`.execute(db)
}
