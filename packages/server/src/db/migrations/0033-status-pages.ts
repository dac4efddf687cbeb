import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** Which approvals are revoked, a bit each, as the log last said it. */
export async function addStatusPages(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const count = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  await db.schema
    .createTable('log_status_pages')
    .addColumn('page', 'bigint', (column) => column.primaryKey())
    .addColumn('wanted', 'bigint', count)
    .addColumn('made', 'bigint', count)
    .addColumn('size', 'bigint', count)
    .addColumn('made_at', 'bigint', count)
    .addColumn('bits', engine === 'sqlite' ? 'blob' : 'bytea')
    .addColumn('leaf_hash', 'text')
    .execute()
  // Those that do not count any more, for the pages.
  await sql`create index proofs_not_in_force on proofs (id)
    where revoked_at is not null or state = 'withdrawn'`.execute(db)
}
