import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** Tickets, their messages, and what lets visitors in. Each index stands here for the query named beside it. */
export async function createTicketTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  // Ordered by its bytes on both, whatever locale a PostgreSQL was made with.
  const keyType = engine === 'sqlite' ? 'text' : sql`text collate "C"`
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await db.schema
    .createTable('visitors')
    .addColumn('id', idType, id)
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('expires_at', 'bigint', must)
    .execute()
  // Sweeping.
  await db.schema.createIndex('visitors_by_expiry').on('visitors').column('expires_at').execute()

  await db.schema
    .createTable('visitor_addresses')
    .addColumn('visitor_id', idType, (c) => c.notNull().references('visitors.id').onDelete('cascade'))
    .addColumn('email_key', 'text', must)
    .addPrimaryKeyConstraint('visitor_addresses_key', ['visitor_id', 'email_key'])
    .execute()

  await db.schema
    .createTable('ticket_links')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('email', 'text', must)
    .addColumn('email_key', 'text', must)
    .addColumn('expires_at', 'bigint', must)
    .execute()
  // Sweeping.
  await db.schema.createIndex('ticket_links_by_expiry').on('ticket_links').column('expires_at').execute()

  await db.schema
    .createTable('tickets')
    .addColumn('id', idType, id)
    .addColumn('title', 'text', must)
    .addColumn('title_key', keyType, must)
    .addColumn('owner_id', idType, (c) => c.references('users.id').onDelete('restrict'))
    .addColumn('email', 'text')
    .addColumn('email_key', 'text')
    .addColumn('visitor_id', idType, (c) => c.references('visitors.id').onDelete('set null'))
    .addColumn('status', keyType, must)
    .addColumn('is_locked', 'integer', zero)
    .addColumn('admin_id', idType, (c) => c.references('users.id').onDelete('restrict'))
    .addColumn('message_count', 'integer', zero)
    .addColumn('created_at', 'bigint', must)
    .addCheckConstraint('tickets_have_an_asker', sql`(owner_id is null) = (email_key is not null)`)
    .execute()
  // Everyone's list, newest first, and by tile.
  await db.schema.createIndex('tickets_newest').on('tickets').columns(['created_at', 'id']).execute()
  await db.schema
    .createIndex('tickets_by_face')
    .on('tickets')
    .columns(['is_locked', 'status', 'created_at', 'id'])
    .execute()
  // A person's own list; a visitor's, and what a person with the same verified address sees of it.
  await db.schema.createIndex('tickets_of_owner').on('tickets').columns(['owner_id', 'created_at', 'id']).execute()
  await sql`create index tickets_of_address on tickets (email_key, created_at, id) where owner_id is null`.execute(db)
  // Forgetting a visitor.
  await db.schema.createIndex('tickets_of_visitor').on('tickets').column('visitor_id').execute()

  await db.schema
    .createTable('ticket_messages')
    .addColumn('id', idType, id)
    .addColumn('ticket_id', idType, (c) => c.notNull().references('tickets.id').onDelete('cascade'))
    .addColumn('user_id', idType, (c) => c.references('users.id').onDelete('restrict'))
    .addColumn('is_admin', 'integer', must)
    .addColumn('text', 'text', must)
    .addColumn('created_at', 'bigint', must)
    .execute()
  // A conversation, oldest first.
  await db.schema
    .createIndex('messages_of_ticket')
    .on('ticket_messages')
    .columns(['ticket_id', 'created_at', 'id'])
    .execute()
}
