import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/**
 * What lets an erasure through: changes of a proof are deleted while it is marked as being erased, and the mark goes with the
 * proof. And what an erasure leaves of an approval that was withdrawn, which pages of what is revoked go on naming.
 */
export async function addErasure(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  await db.schema
    .createTable('erasing_proofs')
    .addColumn('proof_id', idType, (column: ColumnDefinitionBuilder) =>
      column.primaryKey().references('proofs.id').onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createTable('log_withdrawn_leaves')
    .addColumn('leaf_hash', 'text', (column) => column.primaryKey())
    .execute()
  for (const guard of engine === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS) await sql.raw(guard).execute(db)
}

const WORDS = 'changes of proofs are only added to'
const IS_BEING_ERASED = 'exists (select 1 from erasing_proofs where proof_id = old.proof_id)'

const SQLITE_GUARDS = [
  'drop trigger proof_changes_delete',
  `create trigger proof_changes_delete before delete on proof_changes when not ${IS_BEING_ERASED}
    begin select raise(abort, '${WORDS}'); end`,
]

const POSTGRES_GUARDS = [
  `create or replace function proof_changes_stay() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then
      if ${IS_BEING_ERASED} then return old; end if;
    end if;
    raise exception '${WORDS}';
  end $$`,
]
