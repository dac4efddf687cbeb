import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** Sign-in by identity providers. Each index stands here for the query named beside it. */
export async function addProviderLogin(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const must = (column: ColumnDefinitionBuilder) => column.notNull()
  const key = (column: ColumnDefinitionBuilder) => column.primaryKey()
  const ofUser = (column: ColumnDefinitionBuilder) => column.notNull().references('users.id').onDelete('cascade')

  await db.schema
    .createTable('provider_uses')
    .addColumn('hash', 'text', key)
    .addColumn('expires_at', 'bigint', must)
    .execute()
  // The hourly sweep.
  await db.schema.createIndex('provider_uses_by_end').on('provider_uses').column('expires_at').execute()

  await db.schema
    .createTable('provider_entries')
    .addColumn('hash', 'text', key)
    .addColumn('user_id', idType, ofUser)
    .addColumn('expires_at', 'bigint', must)
    .execute()
  // Ends with its person.
  await db.schema.createIndex('provider_entries_of_user').on('provider_entries').column('user_id').execute()
  // The hourly sweep.
  await db.schema.createIndex('provider_entries_by_end').on('provider_entries').column('expires_at').execute()
}
