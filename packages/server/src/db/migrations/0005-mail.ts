import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** What superusers see of mail: why one waits, when one last went out. */
export async function addMailState(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('outbox').addColumn('last_words', 'text').execute()
  const key = (column: ColumnDefinitionBuilder) => column.primaryKey()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('mail_events')
    .addColumn('name', 'text', key)
    .addColumn('at', 'bigint', must)
    .addColumn('recipient', 'text')
    .addColumn('problem', 'text')
    .addColumn('words', 'text')
    .execute()
}
