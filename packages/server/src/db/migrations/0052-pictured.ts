import type { Kysely } from 'kysely'

/** Which files are kept as pictures of their pages; none of those that are there. */
export async function addPictured(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('contents')
    .addColumn('is_pictured', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
