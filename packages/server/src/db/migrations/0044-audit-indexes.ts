import type { Kysely } from 'kysely'

export async function addAuditIndexes(db: Kysely<unknown>): Promise<void> {
  // All entries of one kind of thing in their order; `audit_entries_by_object` has them in the order of the things.
  await db.schema.createIndex('audit_entries_of_kind').on('audit_entries').columns(['object_kind', 'id']).execute()
  // Whether the clock of now was that of some days ago.
  await db.schema.createIndex('audit_links_by_time').on('audit_links').column('made_at').execute()
}
