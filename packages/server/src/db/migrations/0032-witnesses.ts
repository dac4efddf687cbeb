import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** What others signed about our heads, which the database only lets be added to; and what we signed of other logs. */
export async function addWitnesses(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const must = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('log_cosignatures')
    .addColumn('size', 'bigint', must)
    .addColumn('witness', 'text', must)
    .addColumn('line', 'text', must)
    .addColumn('cosigned_at', 'bigint', must)
    .addPrimaryKeyConstraint('log_cosignatures_key', ['size', 'witness'])
    .execute()
  // The newest by one witness.
  await db.schema
    .createIndex('log_cosignatures_of_witness')
    .on('log_cosignatures')
    .columns(['witness', 'size'])
    .execute()
  for (const guard of engine === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS) await sql.raw(guard).execute(db)

  await db.schema
    .createTable('witness_state')
    .addColumn('origin', 'text', (column) => column.primaryKey())
    .addColumn('size', 'bigint', must)
    .addColumn('root', 'text', must)
    .addColumn('note', 'text', must)
    .addColumn('cosigned_at', 'bigint', must)
    .addColumn('contradiction', 'text')
    .execute()
}

const WORDS = 'the log is only added to'

const guardSqlite = (doing: string, condition = '') =>
  `create trigger log_cosignatures_${doing} before ${doing} on log_cosignatures ${condition}
    begin select raise(abort, '${WORDS}'); end`

const SQLITE_GUARDS = [
  // "insert or replace" deletes without asking the triggers for deletions, so nothing may come twice.
  guardSqlite(
    'insert',
    `when exists (select 1 from log_cosignatures as known where known.size = new.size and known.witness = new.witness)`,
  ),
  guardSqlite('update'),
  guardSqlite('delete'),
]

const POSTGRES_GUARDS = [
  `create function log_cosignatures_stay() returns trigger language plpgsql as $$ begin
    raise exception '${WORDS}';
  end $$`,
  `create trigger log_cosignatures_update before update or delete on log_cosignatures
    for each row execute function log_cosignatures_stay()`,
  `create trigger log_cosignatures_truncate before truncate on log_cosignatures
    execute function log_cosignatures_stay()`,
]
