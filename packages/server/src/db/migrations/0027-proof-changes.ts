import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** Beside each proof how it stands now. */
const STATE = [
  'current_expire_time bigint',
  'revoked_at bigint',
  'revocation_reason text',
  'change_count integer not null default 0',
]

/** What was changed about proofs since they were issued, which the database only lets be added to; and who was reminded. */
export async function addProofChanges(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()

  for (const column of STATE) await sql.raw(`alter table proofs add column ${column}`).execute(db)
  await sql`update proofs set current_expire_time = expire_time`.execute(db)
  // What expires next, for the reminders.
  await sql`create index proofs_expiring on proofs (current_expire_time, id)
    where state = 'published' and revoked_at is null`.execute(db)

  await db.schema
    .createTable('proof_changes')
    .addColumn('id', idType, id)
    .addColumn('proof_id', idType, (c) => c.notNull().references('proofs.id'))
    .addColumn('number', 'integer', must)
    .addColumn('kind', 'text', must)
    .addColumn('at', 'bigint', must)
    .addColumn('actor_id', idType, must)
    .addColumn('reason', 'text')
    .addColumn('text', 'text')
    .addColumn('expire_time', 'bigint')
    .addColumn('mac', 'text', must)
    // One proof's history, and its newest entry; of two changes at once one is let in.
    .addUniqueConstraint('proof_changes_of_proof', ['proof_id', 'number'])
    .execute()
  for (const guard of engine === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS) await sql.raw(guard).execute(db)

  await db.schema
    .createTable('reminder_marks')
    .addColumn('days', 'integer', (c) => c.primaryKey())
    .addColumn('reached', 'bigint', must)
    .addColumn('reached_id', 'bigint', must)
    .execute()
}

const WORDS = 'changes of proofs are only added to'

const guardSqlite = (doing: string, condition = '') =>
  `create trigger proof_changes_${doing} before ${doing} on proof_changes ${condition}
    begin select raise(abort, '${WORDS}'); end`

const SQLITE_GUARDS = [
  // "insert or replace" deletes without asking the triggers for deletions, so nothing may come twice.
  guardSqlite(
    'insert',
    `when exists (select 1 from proof_changes as known
      where known.id = new.id or (known.proof_id = new.proof_id and known.number = new.number))`,
  ),
  guardSqlite('update'),
  guardSqlite('delete'),
]

const POSTGRES_GUARDS = [
  `create function proof_changes_stay() returns trigger language plpgsql as $$ begin
    raise exception '${WORDS}';
  end $$`,
  `create trigger proof_changes_update before update or delete on proof_changes
    for each row execute function proof_changes_stay()`,
  `create trigger proof_changes_truncate before truncate on proof_changes execute function proof_changes_stay()`,
]
