import type { Db } from '../db/open.ts'
import type { MailEventRow } from '../db/schema.ts'

/** The newest of each name replaces the one before. */
export async function writeMailEvent(db: Db, event: MailEventRow): Promise<void> {
  const { at, recipient, problem, words } = event
  await db
    .insertInto('mail_events')
    .values(event)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at, recipient, problem, words }))
    .execute()
}

export async function listMailEvents(db: Db): Promise<MailEventRow[]> {
  return db.selectFrom('mail_events').selectAll().execute()
}
