import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** How far the server has come with looking at stored originals and review documents, and those that are spoiled. */
export async function addStoredRounds(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const must = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('stored_rounds')
    .addColumn('kind', 'text', (c) => c.primaryKey())
    .addColumn('began_at', 'bigint', must)
    .addColumn('reached_id', idType, must)
    .addColumn('is_under_way', 'integer', must)
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema
    .createTable('spoiled_files')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', must)
    .addColumn('collection_id', idType, (c) => c.notNull().references('collections.id').onDelete('cascade'))
    .addColumn('found_at', 'bigint', must)
    .addColumn('told', 'text', must)
    .execute()
  await db.schema.createIndex('spoiled_files_by_collection').on('spoiled_files').column('collection_id').execute()
}
