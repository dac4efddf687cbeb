import type { Kysely } from 'kysely'

/** What a browser calls an upload, so that one that is sent again is known. Contents from before have none. */
export async function addUploadIds(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('contents').addColumn('upload_id', 'text').execute()
  // Decides between two that come at once; looking one up.
  await db.schema
    .createIndex('contents_of_upload')
    .unique()
    .on('contents')
    .columns(['collection_id', 'upload_id'])
    .execute()
}
