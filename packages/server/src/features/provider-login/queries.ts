import type { Insertable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { IdentityRow, PendingIdentityRow, ProviderEntryRow } from '../../db/sign-in-tables.ts'

/** Takes what may be taken once; a conditional insert, so of several at once this holds for one only. */
export async function takeOnce(db: Db, hash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('provider_uses')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function insertEntry(db: Db, row: ProviderEntryRow): Promise<void> {
  await db.insertInto('provider_entries').values(row).execute()
}

/** Uses an entry up: of several requests with the same one, this holds for one only. @returns whose it is. */
export async function takeEntry(db: Db, hash: string, now: number): Promise<number | undefined> {
  const row = await db
    .deleteFrom('provider_entries')
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** Codes of a sign-in that is under way end with the link it came by. */
export async function deleteEntries(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('provider_entries').where('user_id', '=', userId).execute()
}

/** Somebody at a provider, as the provider itself names them. */
export type IdentityKey = Pick<IdentityRow, 'provider' | 'issuer' | 'subject'>

/** Whose account somebody at a provider is. */
export async function findIdentity(
  db: Db,
  { issuer, subject }: Pick<IdentityKey, 'issuer' | 'subject'>,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

/** Whether an account is linked with anybody at a provider. */
export async function hasIdentityOf(db: Db, userId: number, issuer: string): Promise<boolean> {
  const row = await db
    .selectFrom('identities')
    .select('id')
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  return row !== undefined
}

export interface LinkedIdentity extends Pick<IdentityRow, 'provider' | 'issuer' | 'email' | 'linked_at'> {
  id: number
}

const LINKED_COLUMNS = ['id', 'provider', 'issuer', 'email', 'linked_at'] as const

/** Oldest first. */
export async function listIdentities(db: Db, userId: number): Promise<LinkedIdentity[]> {
  return db.selectFrom('identities').select(LINKED_COLUMNS).where('user_id', '=', userId).orderBy('id').execute()
}

/** @returns undefined when one of the two is linked already: the account at this provider, or that person with another. */
export async function insertIdentity(
  transaction: Db,
  row: Omit<Insertable<IdentityRow>, 'id'>,
): Promise<LinkedIdentity | undefined> {
  return transaction
    .insertInto('identities')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning(LINKED_COLUMNS)
    .executeTakeFirst()
}

/** @returns false when there is no such link of this person. */
export async function deleteIdentity(transaction: Db, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('identities')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** @returns the ids of those there were */
export async function deleteIdentitiesSince(transaction: Db, userId: number, since: number): Promise<number[]> {
  const unlinked = await transaction
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('linked_at', '>=', since)
    .returning('id')
    .execute()
  await deleteEntries(transaction, userId)
  return unlinked.map(({ id }) => id)
}

export async function insertPendingIdentity(
  db: Db,
  row: Omit<Insertable<PendingIdentityRow>, 'id' | 'link_hash'>,
): Promise<void> {
  await db
    .insertInto('pending_identities')
    .values({ ...row, link_hash: null })
    .execute()
}

/** By the hash of its one-time code, or of its mailed link. */
export type PendingKey = { hash: string } | { link_hash: string }

const PENDING_COLUMNS = ['id', 'user_id', 'provider', 'issuer', 'subject', 'email'] as const
export type PendingIdentity = Pick<PendingIdentityRow, 'user_id' | 'provider' | 'issuer' | 'subject' | 'email'> & {
  id: number
}

export async function findPendingIdentity(db: Db, key: PendingKey, now: number): Promise<PendingIdentity | undefined> {
  const pending = db.selectFrom('pending_identities').select(PENDING_COLUMNS).where('expires_at', '>', now)
  return 'hash' in key
    ? pending.where('hash', '=', key.hash).executeTakeFirst()
    : pending.where('link_hash', '=', key.link_hash).executeTakeFirst()
}

/** Uses it up: of several requests with the same one, this holds for one only. */
export async function takePendingIdentity(
  transaction: Db,
  key: PendingKey,
  now: number,
): Promise<PendingIdentity | undefined> {
  const pending = transaction.deleteFrom('pending_identities').where('expires_at', '>', now)
  return 'hash' in key
    ? pending.where('hash', '=', key.hash).returning(PENDING_COLUMNS).executeTakeFirst()
    : pending.where('link_hash', '=', key.link_hash).returning(PENDING_COLUMNS).executeTakeFirst()
}

/** From now on only a mailed link goes on with it. @returns its id, or undefined when it was used or has run out */
export async function turnToMail(
  transaction: Db,
  hash: string,
  { now, until }: { now: number; until: number },
): Promise<number | undefined> {
  const row = await transaction
    .updateTable('pending_identities')
    .set({ hash: null, expires_at: until })
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function findPendingById(db: Db, id: number): Promise<PendingIdentity | undefined> {
  return db.selectFrom('pending_identities').select(PENDING_COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** @returns false when it was used or swept meanwhile. */
export async function keepJoinLink(db: Db, id: number, linkHash: string, until: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('pending_identities')
    .set({ link_hash: linkHash, expires_at: until })
    .where('id', '=', id)
    .where('hash', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function deleteOutdated(db: Db, now: number): Promise<void> {
  await db.deleteFrom('provider_uses').where('expires_at', '<=', now).execute()
  await db.deleteFrom('provider_entries').where('expires_at', '<=', now).execute()
  await db.deleteFrom('pending_identities').where('expires_at', '<=', now).execute()
}

/** What providers gave out and is still to be traded here. */
export async function deleteAllPending(transaction: Db): Promise<void> {
  await transaction.deleteFrom('provider_entries').execute()
  await transaction.deleteFrom('pending_identities').execute()
}

/** What is known of somebody by identity providers, also by those that are not linked yet. */
export async function deleteIdentitiesOf(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('identities').where('user_id', '=', userId).execute()
  await deleteEntries(transaction, userId)
  await transaction.deleteFrom('pending_identities').where('user_id', '=', userId).execute()
}
