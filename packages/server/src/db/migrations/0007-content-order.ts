import type { Kysely } from 'kysely'

/** Where a file stands in its collection. Those from before keep their order: alike, the older comes first. */
export async function addContentOrder(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('contents')
    .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
