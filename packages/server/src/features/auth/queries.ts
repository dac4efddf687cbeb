import type { Db } from '../../db/open.ts'
import type { LinkTokenRow } from '../../db/sign-in-tables.ts'
import { holdUser } from '../users/queries.ts'

export async function insertLinkToken(transaction: Db, row: LinkTokenRow): Promise<void> {
  await transaction.insertInto('link_tokens').values(row).execute()
}

/** Earlier verification links of a person stop working. */
export async function deleteVerificationLinks(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('link_tokens').where('user_id', '=', userId).where('kind', '=', 'verify_email').execute()
}

/** Earlier reset links of a person stop working. */
export async function deleteResetLinks(transaction: Db, userId: number): Promise<void> {
  await transaction
    .deleteFrom('link_tokens')
    .where('user_id', '=', userId)
    .where('kind', '=', 'reset_password')
    .execute()
}

export async function hasMailedLink(db: Db, kind: MailedLinkKind, hash: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('link_tokens')
    .select('hash')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Whose address a link has verified that was used up. */
export async function findVerifiedLink(
  db: Db,
  hash: string,
  now: number,
): Promise<{ userId: number; email: string } | undefined> {
  const row = await db
    .selectFrom('link_tokens')
    .select(['user_id', 'email'])
    .where('hash', '=', hash)
    .where('kind', '=', 'verified_email')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row || row.user_id === null || row.email === null) return undefined
  return { userId: row.user_id, email: row.email }
}

type MailedLinkKind = 'verify_email' | 'reset_password'

/** Uses a mailed link up: of several requests with the same one, this holds for one only. */
export async function takeMailedLink(
  transaction: Db,
  kind: MailedLinkKind,
  hash: string,
  now: number,
): Promise<{ userId: number; email: string } | undefined> {
  const owner = await transaction
    .selectFrom('link_tokens')
    .select('user_id')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (!owner || owner.user_id === null) return undefined
  await holdUser(transaction, owner.user_id)
  const row = await transaction
    .deleteFrom('link_tokens')
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email'])
    .executeTakeFirst()
  if (!row || row.user_id === null || row.email === null) return undefined
  return { userId: row.user_id, email: row.email }
}

/** Beside those of other starts: each node prints its own. */
export async function addSetupLink(transaction: Db, hash: string): Promise<void> {
  await insertLinkToken(transaction, { hash, kind: 'setup', user_id: null, email: null, expires_at: null })
}

/** Those that nobody used. */
export async function deleteSetupLinks(transaction: Db): Promise<void> {
  await transaction.deleteFrom('link_tokens').where('user_id', 'is', null).where('kind', '=', 'setup').execute()
}

export async function hasSetupLink(db: Db, hash: string): Promise<boolean> {
  const row = await db
    .selectFrom('link_tokens')
    .select('hash')
    .where('hash', '=', hash)
    .where('kind', '=', 'setup')
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when another request used it up. */
export async function takeSetupLink(transaction: Db, hash: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('link_tokens')
    .where('hash', '=', hash)
    .where('kind', '=', 'setup')
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function deleteExpiredLinks(db: Db, now: number): Promise<void> {
  await db.deleteFrom('link_tokens').where('expires_at', '<=', now).execute()
}

/** No mailed link works any more: one that was used after a backup would be good once more. */
export async function deleteAllLinks(transaction: Db): Promise<void> {
  await transaction.deleteFrom('link_tokens').execute()
}

export async function deleteLinksOf(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('link_tokens').where('user_id', '=', userId).execute()
}
