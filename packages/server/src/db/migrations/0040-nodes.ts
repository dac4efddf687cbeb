import type { Kysely } from 'kysely'

/** Which processes serve, with their versions, and to which trace a piece of work belongs. */
export async function addNodes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('nodes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.alterTable('outbox').addColumn('traceparent', 'text').execute()
}
