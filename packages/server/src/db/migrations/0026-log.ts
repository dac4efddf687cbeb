import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** SHA-256 of nothing: the root of the empty tree. RFC 6962 section 2.1. */
const EMPTY_ROOT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The transparency log. The database itself keeps it from being anything but added to. */
export async function addLog(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()
  const key = (column: ColumnDefinitionBuilder) => column.primaryKey()
  const only = (column: ColumnDefinitionBuilder) => column.notNull().unique()

  await db.schema
    .createTable('log_entries')
    .addColumn('leaf_index', idType, key)
    .addColumn('entry', 'text', must)
    .addColumn('leaf_hash', 'text', only)
    .execute()
  await db.schema
    .createTable('log_tiles')
    .addColumn('level', 'integer', must)
    .addColumn('tile_index', 'bigint', must)
    .addColumn('data', engine === 'sqlite' ? 'blob' : 'bytea', must)
    .addPrimaryKeyConstraint('log_tiles_key', ['level', 'tile_index'])
    .execute()
  await db.schema
    .createTable('log_state')
    .addColumn('id', 'integer', (c) => c.primaryKey().check(sql`id = 1`))
    .addColumn('size', 'bigint', must)
    .addColumn('root', 'text', must)
    .addColumn('asked_size', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`insert into log_state (id, size, root) values (1, 0, ${sql.lit(EMPTY_ROOT)})`.execute(db)
  await db.schema
    .createTable('log_checkpoints')
    .addColumn('size', 'bigint', key)
    .addColumn('note', 'text', must)
    .addColumn('signed_at', 'bigint', must)
    .execute()
  await db.schema
    .createTable('log_queue')
    .addColumn('id', idType, id)
    .addColumn('entry', 'text', must)
    .addColumn('leaf_hash', 'text', only)
    .execute()
  await db.schema
    .createTable('log_commitments')
    .addColumn('leaf_hash', 'text', key)
    .addColumn('proof_id', idType, (c) => c.notNull().references('proofs.id').onDelete('cascade'))
    .addColumn('kind', 'text', must)
    .addColumn('seed', 'text', must)
    .addColumn('fields', 'text', must)
    .execute()
  // The statements about one proof.
  await db.schema.createIndex('log_commitments_of_proof').on('log_commitments').columns(['proof_id', 'kind']).execute()
  for (const guard of engine === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS) await sql.raw(guard).execute(db)
}

// "insert or replace" deletes without asking the triggers for deletions, so a key may not come twice.
const IS_NEXT_LEAF = `new.leaf_index = (select count(*) from log_entries where leaf_index = new.leaf_index - 1)
  * new.leaf_index and not exists (select 1 from log_entries as known where known.leaf_index = new.leaf_index
  or known.leaf_hash = new.leaf_hash)`
const IS_NEW_TILE =
  'not exists (select 1 from log_tiles as known where known.level = new.level and known.tile_index = new.tile_index)'
const IS_NEW_HEAD = 'not exists (select 1 from log_checkpoints as known where known.size = new.size)'
const STATE_GROWS =
  'new.id = old.id and new.size >= old.size and new.asked_size >= old.asked_size and new.asked_size <= new.size'

const tileGrows = (measure: string) => `new.level = old.level and new.tile_index = old.tile_index
  and ${measure}(new.data) > ${measure}(old.data) and substr(new.data, 1, ${measure}(old.data)) = old.data`

function guardSqlite(table: string, doing: string, isAllowed: string): string {
  return `create trigger ${table}_${doing} before ${doing} on ${table} when not coalesce((${isAllowed}), 0)
    begin select raise(abort, 'the log is only added to'); end`
}

const SQLITE_GUARDS = [
  guardSqlite('log_entries', 'insert', IS_NEXT_LEAF),
  guardSqlite('log_entries', 'update', '0'),
  guardSqlite('log_entries', 'delete', '0'),
  guardSqlite('log_tiles', 'insert', IS_NEW_TILE),
  guardSqlite('log_tiles', 'update', tileGrows('length')),
  guardSqlite('log_tiles', 'delete', '0'),
  guardSqlite('log_state', 'insert', '0'),
  guardSqlite('log_state', 'update', STATE_GROWS),
  guardSqlite('log_state', 'delete', '0'),
  guardSqlite('log_checkpoints', 'insert', IS_NEW_HEAD),
  guardSqlite('log_checkpoints', 'update', '0'),
  guardSqlite('log_checkpoints', 'delete', '0'),
]

function guardPostgres(table: string, doing: string, isAllowed: string): string[] {
  const name = `${table}_${doing}`
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin
      if coalesce((${isAllowed}), false) then ${doing === 'delete' ? 'return old' : 'return new'}; end if;
      raise exception 'the log is only added to';
    end $$`,
    `create trigger ${name} before ${doing} on ${table} for each row execute function ${name}()`,
  ]
}

const POSTGRES_GUARDS = [
  `create function log_truncate() returns trigger language plpgsql as $$ begin
    raise exception 'the log is only added to';
  end $$`,
  ...guardPostgres('log_entries', 'update', 'false'),
  ...guardPostgres('log_entries', 'delete', 'false'),
  ...guardPostgres('log_tiles', 'update', tileGrows('octet_length')),
  ...guardPostgres('log_tiles', 'delete', 'false'),
  ...guardPostgres('log_state', 'insert', 'false'),
  ...guardPostgres('log_state', 'update', STATE_GROWS),
  ...guardPostgres('log_state', 'delete', 'false'),
  ...guardPostgres('log_checkpoints', 'update', 'false'),
  ...guardPostgres('log_checkpoints', 'delete', 'false'),
  ...['log_entries', 'log_tiles', 'log_state', 'log_checkpoints'].map(
    (table) => `create trigger ${table}_truncate before truncate on ${table} execute function log_truncate()`,
  ),
]
