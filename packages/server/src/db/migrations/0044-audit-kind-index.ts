import type { Kysely } from 'kysely'

/** All entries of one kind of thing in their order; `audit_entries_by_object` has them in the order of the things. */
export async function addAuditKindIndex(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('audit_entries_of_kind').on('audit_entries').columns(['object_kind', 'id']).execute()
}
