import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** The audit trail with its chain. What is in it is held by the database itself; its history begins here. */
export async function addAuditTrail(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('audit_links')
    .addColumn('id', idType, id)
    .addColumn('previous_hash', 'text', (c) => c.notNull().unique())
    .addColumn('hash', 'text', must)
    .addColumn('entries', 'integer', must)
    .addColumn('last_at', 'bigint', must)
    .addColumn('made_at', 'bigint', must)
    .addColumn('mac', 'text', must)
    .addColumn('emptied_at', 'bigint')
    .addColumn('emptied_mac', 'text')
    .execute()
  // The oldest that still has its entries.
  await db.schema.createIndex('audit_links_full').on('audit_links').columns(['emptied_at', 'id']).execute()

  await db.schema
    .createTable('audit_entries')
    .addColumn('id', idType, id)
    .addColumn('at', 'bigint', must)
    .addColumn('actor_id', idType)
    .addColumn('action', 'text', must)
    .addColumn('object_kind', 'text', must)
    .addColumn('object_id', idType)
    .addColumn('collection_id', idType)
    .addColumn('details', 'text', must)
    .addColumn('network', 'text')
    .addColumn('link_id', idType, (c) => c.references('audit_links.id'))
    .addColumn('hash', 'text')
    .execute()
  // What the chain has not reached; what stands in one of its links.
  await sql`create index audit_entries_waiting on audit_entries (id) where link_id is null`.execute(db)
  await db.schema.createIndex('audit_entries_of_link').on('audit_entries').columns(['link_id', 'id']).execute()
  // The filters of the screen; the third is also a collection's timeline.
  await db.schema.createIndex('audit_entries_by_actor').on('audit_entries').columns(['actor_id', 'id']).execute()
  await db.schema.createIndex('audit_entries_by_action').on('audit_entries').columns(['action', 'id']).execute()
  await db.schema
    .createIndex('audit_entries_of_collection')
    .on('audit_entries')
    .columns(['collection_id', 'id'])
    .execute()
  await db.schema
    .createIndex('audit_entries_by_object')
    .on('audit_entries')
    .columns(['object_kind', 'object_id', 'id'])
    .execute()
  await db.schema.createIndex('audit_entries_by_time').on('audit_entries').columns(['at', 'id']).execute()

  await db.schema
    .createTable('audit_views')
    .addColumn('actor_id', idType, (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('action', 'text', must)
    .addColumn('object_id', idType, must)
    .addColumn('seen_at', 'bigint', must)
    .addPrimaryKeyConstraint('audit_views_key', ['action', 'object_id', 'actor_id'])
    .execute()
  // The hourly sweep.
  await db.schema.createIndex('audit_views_by_age').on('audit_views').column('seen_at').execute()

  await db.schema
    .createTable('decisions')
    .addColumn('id', idType, id)
    .addColumn('collection_id', idType, (c) => c.notNull().references('collections.id').onDelete('cascade'))
    .addColumn('text', 'text', must)
    .execute()
  // A timeline; ends with its collection.
  await db.schema.createIndex('decisions_of_collection').on('decisions').column('collection_id').execute()

  for (const guard of engine === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS) await sql.raw(guard).execute(db)
}

const ENTRY_FACTS = [
  'id',
  'at',
  'actor_id',
  'action',
  'object_kind',
  'object_id',
  'collection_id',
  'details',
  'network',
]
const LINK_FACTS = ['id', 'previous_hash', 'hash', 'entries', 'last_at', 'made_at', 'mac']

const stays = (columns: string[], same: string) =>
  columns.map((column) => `new.${column} ${same} old.${column}`).join(' and ')
const isSetOnce = (columns: string[]) =>
  columns.map((column) => `old.${column} is null and new.${column} is not null`).join(' and ')

/** An entry is born outside the chain, and a link full. */
const IS_NEW_ENTRY = 'new.link_id is null and new.hash is null'
const IS_NEW_LINK = 'new.emptied_at is null and new.emptied_mac is null'
const isChained = (same: string) => `${isSetOnce(['link_id', 'hash'])} and ${stays(ENTRY_FACTS, same)}`
const isEmptied = (same: string) => `${isSetOnce(['emptied_at', 'emptied_mac'])} and ${stays(LINK_FACTS, same)}`
const IS_OF_EMPTIED = 'exists (select 1 from audit_links where id = old.link_id and emptied_at is not null)'

function guardSqlite(name: string, table: string, doing: string, isAllowed: string): string {
  return `create trigger ${name} before ${doing} on ${table} when not coalesce((${isAllowed}), 0)
    begin select raise(abort, 'the audit trail is only added to'); end`
}

// "insert or replace" deletes without asking the triggers for deletions, so an id may not come twice.
const isFree = (table: string) => `not exists (select 1 from ${table} as known where known.id = new.id)`
const IS_NEXT = 'not exists (select 1 from audit_links as known where known.previous_hash = new.previous_hash)'

const SQLITE_GUARDS = [
  guardSqlite('audit_entries_insert', 'audit_entries', 'insert', `${IS_NEW_ENTRY} and ${isFree('audit_entries')}`),
  guardSqlite('audit_entries_update', 'audit_entries', 'update', isChained('is')),
  guardSqlite('audit_entries_delete', 'audit_entries', 'delete', IS_OF_EMPTIED),
  guardSqlite(
    'audit_links_insert',
    'audit_links',
    'insert',
    `${IS_NEW_LINK} and ${isFree('audit_links')} and ${IS_NEXT}`,
  ),
  guardSqlite('audit_links_update', 'audit_links', 'update', isEmptied('is')),
  guardSqlite('audit_links_delete', 'audit_links', 'delete', '0'),
]

const SAME = 'is not distinct from'

function guardPostgres(name: string, table: string, doing: string, isAllowed: string): string[] {
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin
      if coalesce((${isAllowed}), false) then ${doing === 'delete' ? 'return old' : 'return new'}; end if;
      raise exception 'the audit trail is only added to';
    end $$`,
    `create trigger ${name} before ${doing} on ${table} for each row execute function ${name}()`,
  ]
}

const POSTGRES_GUARDS = [
  ...guardPostgres('audit_entries_insert', 'audit_entries', 'insert', IS_NEW_ENTRY),
  ...guardPostgres('audit_entries_update', 'audit_entries', 'update', isChained(SAME)),
  ...guardPostgres('audit_entries_delete', 'audit_entries', 'delete', IS_OF_EMPTIED),
  ...guardPostgres('audit_links_insert', 'audit_links', 'insert', IS_NEW_LINK),
  ...guardPostgres('audit_links_update', 'audit_links', 'update', isEmptied(SAME)),
  ...guardPostgres('audit_links_delete', 'audit_links', 'delete', 'false'),
  `create function audit_truncate() returns trigger language plpgsql as $$ begin
    raise exception 'the audit trail is only added to';
  end $$`,
  'create trigger audit_entries_truncate before truncate on audit_entries execute function audit_truncate()',
  'create trigger audit_links_truncate before truncate on audit_links execute function audit_truncate()',
]
