import type { Kysely } from 'kysely'

/** What calls have made under keys of their senders. */
export async function addMadeOnce(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('made_once')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('object_id', 'bigint', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    // Decides between two that come at once; looking one up; what is of one owner.
    .addPrimaryKeyConstraint('made_once_key', ['owner', 'kind', 'key'])
    .execute()
  await db.schema.createIndex('made_once_by_age').on('made_once').column('made_at').execute()
}
