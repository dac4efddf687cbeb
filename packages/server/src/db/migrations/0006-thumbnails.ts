import type { Kysely } from 'kysely'

/** Pictures of first pages. What was uploaded before has none yet; one is drawn when somebody looks. */
export async function addThumbnails(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('contents')
    .addColumn('thumbnail_state', 'text', (c) => c.notNull().defaultTo('missing'))
    .execute()
  await db.schema.alterTable('contents').addColumn('thumbnail_key', 'text').execute()
  await db.schema.alterTable('contents').addColumn('thumbnail_size', 'integer').execute()
  await db.schema.alterTable('contents').addColumn('thumbnail_sha256', 'text').execute()
}
