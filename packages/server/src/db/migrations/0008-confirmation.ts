import type { Kysely } from 'kysely'

/**
 * When the person of a session last showed who they are, and what taking a change of address back needs. Each index
 * stands here for the query named beside it.
 */
export async function addConfirmation(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sessions')
    .addColumn('confirmed_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await confirmByBeginning(db)

  const emailChanges = db.schema.alterTable('email_changes')
  await emailChanges.addColumn('changed_at', 'bigint', (column) => column.notNull().defaultTo(0)).execute()
  await emailChanges.addColumn('held_email_key', 'text').execute()
  await emailChanges.addColumn('undo_hash', 'text').execute()
  await emailChanges.addColumn('undo_until', 'bigint').execute()
  // Ends with its person.
  await db.schema.createIndex('email_changes_of_user').on('email_changes').column('user_id').execute()
  // The mailed link.
  await db.schema.createIndex('email_changes_by_undo').on('email_changes').column('undo_hash').unique().execute()
  // Whether an address may be taken.
  await db.schema.createIndex('email_changes_by_held').on('email_changes').column('held_email_key').execute()
}

interface SessionsBefore {
  sessions: { created_at: number; confirmed_at: number }
}

/** A session from before began with a sign-in. */
async function confirmByBeginning(db: Kysely<SessionsBefore>): Promise<void> {
  await db
    .updateTable('sessions')
    .set(({ ref }) => ({ confirmed_at: ref('created_at') }))
    .execute()
}
