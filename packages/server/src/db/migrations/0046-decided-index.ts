import type { Kysely } from 'kysely'

/** What one reviewer has decided, in its order; with the outcome, so that they are counted without their rows. */
export async function addDecidedIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('submissions_decided')
    .on('submissions')
    .columns(['reviewer_id', 'decided_at', 'id', 'outcome'])
    .execute()
}
