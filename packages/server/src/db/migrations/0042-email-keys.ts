import { sql, type Kysely } from 'kysely'
import { toEmailKey } from '../../text/email-key.ts'

interface Before {
  users: { id: number; email: string; email_key: string; recovery_email: string; recovery_email_key: string }
  email_changes: { id: number; old_email: string; held_email_key: string | null }
  tickets: { id: number; email: string | null; email_key: string | null }
  ticket_links: { hash: string; email: string; email_key: string }
  visitor_addresses: { visitor_id: number; email_key: string }
}

/**
 * Until this step addresses were compared by a folding that takes some domains for others. Only those with other
 * characters than ASCII get another key. No two of them meet by it: those that were one may only become two.
 */
export async function renewEmailKeys(db: Kysely<Before>): Promise<void> {
  await renewUsers(db)
  await renewTickets(db)
  const changes = await db.selectFrom('email_changes').selectAll().where(isBeyondAscii('old_email')).execute()
  for (const { id, old_email, held_email_key: held } of changes)
    if (held !== null)
      await db
        .updateTable('email_changes')
        .set({ held_email_key: toEmailKey(old_email) })
        .where('id', '=', id)
        .execute()
  const links = await db.selectFrom('ticket_links').selectAll().where(isBeyondAscii('email')).execute()
  for (const { hash, email } of links)
    await db
      .updateTable('ticket_links')
      .set({ email_key: toEmailKey(email) })
      .where('hash', '=', hash)
      .execute()
}

async function renewUsers(db: Kysely<Before>): Promise<void> {
  const users = await db
    .selectFrom('users')
    .select(['id', 'email', 'email_key', 'recovery_email'])
    .where(({ or }) => or([isBeyondAscii('email'), isBeyondAscii('recovery_email')]))
    .execute()
  for (const { id, email, email_key: old, recovery_email } of users) {
    // Who only claims an address that somebody else has since has a key with a space and the id.
    const end = old.endsWith(` ${id}`) ? ` ${id}` : ''
    await db
      .updateTable('users')
      .set({ email_key: toEmailKey(email) + end, recovery_email_key: toEmailKey(recovery_email) })
      .where('id', '=', id)
      .execute()
  }
}

/** Whoever proved such an address proves it once more: which one the link went to is not known any more. */
async function renewTickets(db: Kysely<Before>): Promise<void> {
  const tickets = await db
    .selectFrom('tickets')
    .select(['id', 'email', 'email_key'])
    .where(isBeyondAscii('email'))
    .execute()
  for (const { id, email, email_key: old } of tickets) {
    if (email === null || old === null) continue
    // In every browser: a mailed link proves it to the one that it is used in.
    await db.deleteFrom('visitor_addresses').where('email_key', '=', old).execute()
    await db
      .updateTable('tickets')
      .set({ email_key: toEmailKey(email) })
      .where('id', '=', id)
      .execute()
  }
}

function isBeyondAscii(column: string) {
  return sql<boolean>`octet_length(${sql.ref(column)}) <> length(${sql.ref(column)})`
}
