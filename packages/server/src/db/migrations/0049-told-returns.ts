import type { Kysely } from 'kysely'

/** Which mails were told of that came back. */
export async function addToldReturns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('told_returns')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('told_returns_expiry').on('told_returns').column('expires_at').execute()
}
