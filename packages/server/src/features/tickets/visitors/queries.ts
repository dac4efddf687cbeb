import type { Db } from '../../../db/open.ts'
import { toEmailKey } from '../../../text/email-key.ts'

/** Whose cookie this is; nobody's once it has run out. */
export async function findVisitor(db: Db, hash: string, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('visitors')
    .select('id')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.id
}

export async function insertVisitor(transaction: Db, hash: string, expiresAt: number): Promise<number> {
  const { id } = await transaction
    .insertInto('visitors')
    .values({ hash, expires_at: expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Prolongs a visitor's cookie, or puts another in its place.
 * @param known The hash it was found by: of one that was replaced meanwhile nothing is prolonged.
 * @returns false when it has run out or was replaced meanwhile.
 */
export async function renewVisitor(
  transaction: Db,
  { id, known }: { id: number; known: string },
  cookie: { hash: string; expiresAt: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('visitors')
    .set({ hash: cookie.hash, expires_at: cookie.expiresAt })
    .where('id', '=', id)
    .where('hash', '=', known)
    .where('expires_at', '>', cookie.now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Forgets a browser and which addresses it has proved; its tickets stay. @param hash Of the cookie it came with. */
export async function deleteVisitor(db: Db, id: number, hash: string): Promise<void> {
  await db.deleteFrom('visitors').where('id', '=', id).where('hash', '=', hash).execute()
}

/** Records that the visitor reads the mails of an address, with which they may have opened tickets before. */
export async function insertVisitorAddress(transaction: Db, visitorId: number, emailKey: string): Promise<void> {
  await transaction
    .insertInto('visitor_addresses')
    .values({ visitor_id: visitorId, email_key: emailKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function insertTicketLink(
  db: Db,
  values: { hash: string; email: string; expiresAt: number },
): Promise<void> {
  const { hash, email, expiresAt } = values
  await db
    .insertInto('ticket_links')
    .values({ hash, email, email_key: toEmailKey(email), expires_at: expiresAt })
    .execute()
}

/** Uses a mailed link up: of several requests with the same one, this holds for one only. */
export async function takeTicketLink(
  transaction: Db,
  hash: string,
  now: number,
): Promise<{ email: string; email_key: string } | undefined> {
  return transaction
    .deleteFrom('ticket_links')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning(['email', 'email_key'])
    .executeTakeFirst()
}

/**
 * After a restore: a link that was used since is used, and a cookie that was replaced since opens nothing.
 * @scans: all of them go.
 */
export async function forgetVisitors(transaction: Db): Promise<void> {
  await transaction.deleteFrom('ticket_links').execute()
  await transaction.deleteFrom('visitors').execute()
}

/** Removes what has run out; a visitor's tickets stay. */
export async function deleteExpired(transaction: Db, now: number): Promise<void> {
  await transaction.deleteFrom('ticket_links').where('expires_at', '<=', now).execute()
  await transaction.deleteFrom('visitors').where('expires_at', '<=', now).execute()
}
