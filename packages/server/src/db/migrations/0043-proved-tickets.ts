import { sql, type Kysely } from 'kysely'

/**
 * Which tickets of visitors were opened by somebody who reads the mails of their address, as far as that is known; and
 * when recovery codes were made: those there are count as older than any change.
 */
export async function addProvedTickets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('tickets')
    .addColumn('is_address_proved', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update tickets set is_address_proved = 1
    where owner_id is null and exists (select 1 from visitor_addresses as a
      where a.visitor_id = tickets.visitor_id and a.email_key = tickets.email_key)`.execute(db)
  await db.schema
    .alterTable('recovery_codes')
    .addColumn('made_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}
