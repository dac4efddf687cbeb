import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** Whom identity providers know our people as. Each index stands here for the query named beside it. */
export async function addIdentities(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('identities')
    .addColumn('id', idType, id)
    .addColumn('user_id', idType, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('provider', 'text', must)
    .addColumn('issuer', 'text', must)
    .addColumn('subject', 'text', must)
    .addColumn('email', 'text', must)
    .addColumn('linked_at', 'bigint', must)
    // Each sign-in; one person there is one account here.
    .addUniqueConstraint('identities_by_subject', ['issuer', 'subject'])
    // The profile; two people there are never one account here.
    .addUniqueConstraint('identities_of_user', ['user_id', 'issuer'])
    .execute()

  await db.schema
    .createTable('pending_identities')
    .addColumn('id', idType, id)
    .addColumn('hash', 'text', (c) => c.unique())
    .addColumn('link_hash', 'text', (c) => c.unique())
    .addColumn('user_id', idType, (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('provider', 'text', must)
    .addColumn('issuer', 'text', must)
    .addColumn('subject', 'text', must)
    .addColumn('email', 'text', must)
    .addColumn('expires_at', 'bigint', must)
    .execute()
  // Ends with its person.
  await db.schema.createIndex('pending_identities_of_user').on('pending_identities').column('user_id').execute()
  // The hourly sweep.
  await db.schema.createIndex('pending_identities_by_end').on('pending_identities').column('expires_at').execute()
}
