import type { ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** How far the server has come with judging its stored certified PDFs, and those that were not what was approved. */
export async function addFileRounds(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const must = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('file_rounds')
    .addColumn('began_at', 'bigint', (c) => c.primaryKey())
    .addColumn('reached_id', idType, must)
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema
    .createTable('file_problems')
    .addColumn('proof_id', idType, (c) => c.primaryKey().references('proofs.id'))
    .addColumn('found_at', 'bigint', must)
    .addColumn('told', 'text', must)
    .execute()
}
