import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { Engine } from '../open.ts'

/** The tables of the first version. Each index stands here for the query named beside it. */
export async function createFirstTables(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const idType = engine === 'sqlite' ? 'integer' : 'bigint'
  // Ordered by its bytes on both, whatever locale a PostgreSQL was made with.
  const keyType = engine === 'sqlite' ? 'text' : sql`text collate "C"`
  const id = (column: ColumnDefinitionBuilder) =>
    engine === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()
  const must = (column: ColumnDefinitionBuilder) => column.notNull()
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  const refers =
    (to: string, onDelete: 'cascade' | 'restrict' | 'set null' = 'cascade') =>
    (column: ColumnDefinitionBuilder) =>
      column.references(to).onDelete(onDelete)
  const mustRefer =
    (to: string, onDelete: 'cascade' | 'restrict' = 'cascade') =>
    (column: ColumnDefinitionBuilder) =>
      column.notNull().references(to).onDelete(onDelete)

  await db.schema
    .createTable('instance')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', must)
    .execute()

  await db.schema
    .createTable('users')
    .addColumn('id', idType, id)
    .addColumn('username', 'text', must)
    .addColumn('username_key', 'text', (c) => c.notNull().unique())
    .addColumn('email', 'text', must)
    .addColumn('email_key', 'text', (c) => c.notNull().unique())
    .addColumn('verified_email', 'text')
    .addColumn('first_name', 'text', must)
    .addColumn('last_name', 'text', must)
    .addColumn('phone_number', 'text', must)
    .addColumn('birthdate', 'text')
    .addColumn('password_hash', 'text')
    .addColumn('is_active', 'integer', (c) => c.notNull().defaultTo(1))
    .addColumn('is_staff', 'integer', zero)
    .addColumn('is_admin', 'integer', zero)
    .addColumn('is_superuser', 'integer', zero)
    .addColumn('is_email_verified', 'integer', zero)
    .addColumn('gfa_is_enabled', 'integer', zero)
    .addColumn('joined_at', 'bigint', must)
    .execute()
  // Setup: "does a superuser exist?"
  await sql`create index users_superusers on users (id) where is_superuser = 1`.execute(db)

  await db.schema
    .createTable('sessions')
    .addColumn('id', idType, id)
    .addColumn('user_id', idType, mustRefer('users.id'))
    .addColumn('created_at', 'bigint', must)
    .execute()
  await db.schema.createIndex('sessions_of_user').on('sessions').column('user_id').execute()

  await db.schema
    .createTable('session_tokens')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('session_id', idType, mustRefer('sessions.id'))
    .addColumn('kind', 'text', must)
    .addColumn('expires_at', 'bigint', must)
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema.createIndex('session_tokens_of_session').on('session_tokens').column('session_id').execute()
  await db.schema.createIndex('session_tokens_by_expiry').on('session_tokens').column('expires_at').execute()

  await db.schema
    .createTable('link_tokens')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('kind', 'text', must)
    .addColumn('user_id', idType, refers('users.id'))
    .addColumn('email', 'text')
    .addColumn('expires_at', 'bigint')
    .execute()
  await db.schema.createIndex('link_tokens_of_user').on('link_tokens').columns(['user_id', 'kind']).execute()

  await db.schema
    .createTable('notifications')
    .addColumn('id', idType, id)
    .addColumn('user_id', idType, mustRefer('users.id'))
    .addColumn('type', 'text', must)
    .addColumn('path', 'text')
    .addColumn('is_read', 'integer', zero)
    .addColumn('created_at', 'bigint', must)
    .execute()
  // The bell: newest 20 of one person.
  await db.schema
    .createIndex('notifications_of_user')
    .on('notifications')
    .columns(['user_id', 'created_at', 'id'])
    .execute()

  await db.schema
    .createTable('collections')
    .addColumn('id', idType, id)
    .addColumn('owner_id', idType, mustRefer('users.id', 'restrict'))
    .addColumn('title', 'text', must)
    .addColumn('title_key', keyType, must)
    .addColumn('is_locked', 'integer', zero)
    .addColumn('proofid', 'text', (c) => c.unique())
    .addColumn('admin_desc', 'text', must)
    .addColumn('reviewer_id', idType, refers('users.id', 'restrict'))
    .addColumn('expire_time', 'bigint')
    .addColumn('created_at', 'bigint', must)
    .addColumn('submitted_at', 'bigint')
    .addColumn('revision', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('claim_id', idType)
    .addColumn('content_count', 'integer', zero)
    .addColumn('content_bytes', 'bigint', zero)
    .addColumn('content_pages', 'integer', zero)
    .addColumn('comment_count', 'integer', zero)
    .execute()
  // Own list, newest first; everyone's list, newest first.
  await db.schema
    .createIndex('collections_of_owner')
    .on('collections')
    .columns(['owner_id', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('collections_newest').on('collections').columns(['created_at', 'id']).execute()
  // The review queue.
  await sql`create index collections_queue on collections (created_at, id) where is_locked = 1 and proofid is null`.execute(
    db,
  )
  // Tiles and counts of what expired by time.
  await sql`create index collections_expiring on collections (expire_time) where expire_time is not null`.execute(db)

  await db.schema
    .createTable('contents')
    .addColumn('id', idType, id)
    .addColumn('collection_id', idType, mustRefer('collections.id'))
    .addColumn('title', 'text', must)
    .addColumn('title_key', keyType, must)
    .addColumn('title_type', 'text', must)
    .addColumn('type', 'text', must)
    .addColumn('file_name', 'text', must)
    .addColumn('blob_key', 'text', (c) => c.notNull().unique())
    .addColumn('size', 'bigint', must)
    .addColumn('pages', 'integer', must)
    .addColumn('sha256', 'text', must)
    .addColumn('created_at', 'bigint', must)
    .execute()
  await db.schema
    .createIndex('contents_of_collection')
    .on('contents')
    .columns(['collection_id', 'created_at', 'id'])
    .execute()

  await db.schema
    .createTable('comments')
    .addColumn('id', idType, id)
    .addColumn('collection_id', idType, mustRefer('collections.id'))
    .addColumn('user_id', idType, mustRefer('users.id', 'restrict'))
    .addColumn('text', 'text', must)
    .addColumn('created_at', 'bigint', must)
    .execute()
  await db.schema
    .createIndex('comments_of_collection')
    .on('comments')
    .columns(['collection_id', 'created_at', 'id'])
    .execute()

  await db.schema
    .createTable('proofs')
    .addColumn('id', idType, id)
    .addColumn('proofid', 'text', (c) => c.notNull().unique())
    .addColumn('collection_id', idType, refers('collections.id', 'set null'))
    .addColumn('owner_id', idType, mustRefer('users.id', 'restrict'))
    .addColumn('reviewer_id', idType, mustRefer('users.id', 'restrict'))
    .addColumn('title', 'text', must)
    .addColumn('title_key', keyType, must)
    .addColumn('username', 'text', must)
    .addColumn('reviewer_username', 'text', must)
    .addColumn('admin_desc', 'text', must)
    .addColumn('approved_at', 'bigint', must)
    .addColumn('expire_time', 'bigint')
    .addColumn('seed', 'text', must)
    .addColumn('revision0_key', 'text')
    .addColumn('revision0_sha256', 'text', must)
    .addColumn('revision0_size', 'bigint', must)
    .addColumn('revision0_facts', 'text', must)
    .addColumn('pages', 'integer', must)
    .addColumn('state', 'text', must)
    .addColumn('sealed_key', 'text')
    .addColumn('sealed_sha256', 'text')
    .addColumn('sealed_size', 'bigint')
    .addColumn('problem', 'text')
    .addColumn('published_at', 'bigint')
    .execute()
  // Server content: published ones, newest first, of one owner or of all.
  await db.schema.createIndex('proofs_of_owner').on('proofs').columns(['owner_id', 'published_at', 'id']).execute()
  await db.schema.createIndex('proofs_newest').on('proofs').columns(['published_at', 'id']).execute()
  await db.schema.createIndex('proofs_of_collection').on('proofs').column('collection_id').execute()
  // Resuming at start.
  await sql`create index proofs_to_seal on proofs (id) where state = 'claimed'`.execute(db)

  await db.schema
    .createTable('outbox')
    .addColumn('id', idType, id)
    .addColumn('kind', 'text', must)
    .addColumn('payload', 'text', must)
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('due_at', 'bigint', must)
    .addColumn('held_until', 'bigint')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'bigint', must)
    .execute()
  await db.schema.createIndex('outbox_due').on('outbox').columns(['kind', 'due_at', 'id']).execute()

  await db.schema
    .createTable('blob_intents')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('created_at', 'bigint', must)
    .execute()
}
