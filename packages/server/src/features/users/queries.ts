import type { Profile } from '@proofdesk/contract/account'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { UserInfo } from '@proofdesk/contract/users'
import type { Insertable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { UserRow } from '../../db/schema.ts'
import { foldCase } from '../../fold-case.ts'

type InfoRow = Pick<
  UserRow,
  'email' | 'username' | 'is_staff' | 'is_admin' | 'is_superuser' | 'is_active' | 'is_email_verified'
> & { id: number }

const INFO_COLUMNS = [
  'id',
  'email',
  'username',
  'is_staff',
  'is_admin',
  'is_superuser',
  'is_active',
  'is_email_verified',
] as const

/** The row in the shape `/user/info` shows. */
export function toUserInfo(row: InfoRow): UserInfo {
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    is_staff: row.is_staff === 1,
    is_admin: row.is_admin === 1,
    is_superuser: row.is_superuser === 1,
    is_active: row.is_active === 1,
    is_email_verified: row.is_email_verified === 1,
  }
}

/** What the permission rules need to know of a person. */
export function toViewer(row: Omit<InfoRow, 'email' | 'is_active'>): Viewer {
  return {
    id: row.id,
    username: row.username,
    is_staff: row.is_staff === 1,
    is_admin: row.is_admin === 1,
    is_superuser: row.is_superuser === 1,
    is_email_verified: row.is_email_verified === 1,
  }
}

export async function findUserInfo(db: Db, id: number): Promise<UserInfo | undefined> {
  const row = await db.selectFrom('users').select(INFO_COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && toUserInfo(row)
}

/** By name, whatever its case, with what signing in needs; deactivated people too. */
export async function findUserToSignIn(
  db: Db,
  username: string,
): Promise<{ info: UserInfo; passwordHash: string | null } | undefined> {
  const row = await db
    .selectFrom('users')
    .select([...INFO_COLUMNS, 'password_hash'])
    .where('username_key', '=', foldCase(username))
    .executeTakeFirst()
  return row && { info: toUserInfo(row), passwordHash: row.password_hash }
}

/** By present address, whatever its case; deactivated people too. */
export async function findUserByEmail(db: Db, email: string): Promise<UserInfo | undefined> {
  const row = await db
    .selectFrom('users')
    .select(INFO_COLUMNS)
    .where('email_key', '=', foldCase(email))
    .executeTakeFirst()
  return row && toUserInfo(row)
}

/** Which of the two somebody has already, whatever its case. */
export async function findTaken(
  db: Db,
  wanted: { username: string; email: string },
): Promise<{ username: boolean; email: boolean }> {
  const usernameKey = foldCase(wanted.username)
  const emailKey = foldCase(wanted.email)
  const rows = await db
    .selectFrom('users')
    .select(['username_key', 'email_key'])
    .where(({ eb, or }) => or([eb('username_key', '=', usernameKey), eb('email_key', '=', emailKey)]))
    .execute()
  return {
    username: rows.some((row) => row.username_key === usernameKey),
    email: rows.some((row) => row.email_key === emailKey),
  }
}

/** @returns undefined when the name or the address was taken in the meantime. */
export async function insertUser(
  transaction: Db,
  values: Omit<Insertable<UserRow>, 'username_key' | 'email_key' | 'recovery_email' | 'recovery_email_key'>,
): Promise<UserInfo | undefined> {
  const row = await transaction
    .insertInto('users')
    .values({
      ...values,
      username_key: foldCase(values.username),
      email_key: foldCase(values.email),
      recovery_email: values.email,
      recovery_email_key: foldCase(values.email),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(INFO_COLUMNS)
    .executeTakeFirst()
  return row && toUserInfo(row)
}

/** Records that a mailed link proved the address. @returns undefined when the person has another address by now. */
export async function markEmailVerified(transaction: Db, id: number, email: string): Promise<UserInfo | undefined> {
  const row = await transaction
    .updateTable('users')
    .set({ is_email_verified: 1, verified_email: email, recovery_email: email, recovery_email_key: foldCase(email) })
    .where('id', '=', id)
    .where('email', '=', email)
    .returning(INFO_COLUMNS)
    .executeTakeFirst()
  return row && toUserInfo(row)
}

export async function hasSuperuser(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('is_superuser', '=', 1).limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Holds a person's row for this transaction, before anything that hangs on it is touched. Whoever changes the person and
 * then what hangs on them would otherwise meet, halfway, somebody who goes the other way round.
 */
export async function holdUser(transaction: Db, id: number): Promise<void> {
  await transaction
    .updateTable('users')
    .set((row) => ({ is_active: row.ref('is_active') }))
    .where('id', '=', id)
    .execute()
}

/**
 * Holds the person's row until the end of the transaction, so that nothing that shuts them out or ends their sessions
 * can slip in between. @param passwordHash Where given, only while it is still theirs.
 * @returns undefined for deactivated people and when the password was changed meanwhile.
 */
export async function holdActiveUser(
  transaction: Db,
  id: number,
  passwordHash?: string,
): Promise<{ info: UserInfo; hasTwoFactor: boolean } | undefined> {
  const update = transaction
    .updateTable('users')
    .set(({ ref }) => ({ is_active: ref('is_active') }))
    .where('id', '=', id)
    .where('is_active', '=', 1)
  const row = await (passwordHash === undefined ? update : update.where('password_hash', '=', passwordHash))
    .returning([...INFO_COLUMNS, 'gfa_is_enabled'])
    .executeTakeFirst()
  return row && { info: toUserInfo(row), hasTwoFactor: row.gfa_is_enabled === 1 }
}

/** @returns whether that changed anything. */
export async function setTwoFactorFlag(transaction: Db, id: number, isEnabled: boolean): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ gfa_is_enabled: isEnabled ? 1 : 0 })
    .where('id', '=', id)
    .where('gfa_is_enabled', '=', isEnabled ? 0 : 1)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function findPasswordHash(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirst()
  return row?.password_hash ?? null
}

/** Of several changes from the same old password at once, this holds for one only. */
export async function replacePassword(transaction: Db, id: number, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', id)
    .where('password_hash', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** @returns undefined for deactivated people. */
export async function resetPasswordHash(transaction: Db, id: number, hash: string): Promise<UserInfo | undefined> {
  const row = await transaction
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .returning(INFO_COLUMNS)
    .executeTakeFirst()
  return row && toUserInfo(row)
}

/** Accounts that a person may mean who types this address: their present one, or the one a reset goes to. */
export async function listUsersToReset(db: Db, email: string, most: number): Promise<number[]> {
  const key = foldCase(email)
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(({ eb, or }) => or([eb('email_key', '=', key), eb('recovery_email_key', '=', key)]))
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** Where mails about the safety of an account go; undefined for deactivated people. */
export async function findRecoveryAddress(
  db: Db,
  id: number,
): Promise<{ username: string; email: string; recoveryEmail: string } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['username', 'email', 'recovery_email'])
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  return row && { username: row.username, email: row.email, recoveryEmail: row.recovery_email }
}

const PROFILE_COLUMNS = [
  'username',
  'email',
  'first_name',
  'last_name',
  'phone_number',
  'birthdate',
  'gfa_is_enabled',
  'is_email_verified',
] as const

function toProfile(row: Pick<UserRow, (typeof PROFILE_COLUMNS)[number]>): Profile {
  return {
    username: row.username,
    email: row.email,
    first_name: row.first_name || null,
    last_name: row.last_name || null,
    phone_number: row.phone_number || null,
    birthdate: row.birthdate,
    gfa_is_enabled: row.gfa_is_enabled === 1,
    is_email_verified: row.is_email_verified === 1,
  }
}

export async function findProfile(db: Db, id: number): Promise<Profile | undefined> {
  const row = await db.selectFrom('users').select(PROFILE_COLUMNS).where('id', '=', id).executeTakeFirst()
  return row && toProfile(row)
}

export type ProfileChanges = Partial<Pick<UserRow, 'first_name' | 'last_name' | 'phone_number' | 'birthdate'>>

/** Fields that are left out stay as they are. */
export async function updateProfileFields(transaction: Db, id: number, changes: ProfileChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await transaction.updateTable('users').set(changes).where('id', '=', id).execute()
}

/**
 * Gives the account another address, unverified; where a reset goes stays as it is.
 * @returns false when the address was another than `from` by now.
 * @throws the database's unique violation when somebody else has it
 */
export async function replaceEmail(transaction: Db, id: number, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ email: to, email_key: foldCase(to), is_email_verified: 0 })
    .where('id', '=', id)
    .where('email', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
