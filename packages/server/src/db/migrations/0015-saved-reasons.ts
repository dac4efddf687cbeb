import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** Descriptions that reviewers saved for the next decision. */
export async function addSavedReasons(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('saved_reasons')
    .addColumn('id', idType, id)
    .addColumn('user_id', idType, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('decision', 'text', must)
    .addColumn('text', 'text', must)
    .addColumn('text_hash', 'text', must)
    .addColumn('saved_at', 'bigint', must)
    .addCheckConstraint('saved_reasons_decision', sql`decision in ('approve', 'reject')`)
    .execute()
  // Listing and saving; the same text stands there once.
  await db.schema
    .createIndex('saved_reasons_of_user')
    .unique()
    .on('saved_reasons')
    .columns(['user_id', 'decision', 'text_hash'])
    .execute()
}
