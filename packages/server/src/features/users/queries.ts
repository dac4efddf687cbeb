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
  values: Omit<Insertable<UserRow>, 'username_key' | 'email_key'>,
): Promise<UserInfo | undefined> {
  const row = await transaction
    .insertInto('users')
    .values({ ...values, username_key: foldCase(values.username), email_key: foldCase(values.email) })
    .onConflict((conflict) => conflict.doNothing())
    .returning(INFO_COLUMNS)
    .executeTakeFirst()
  return row && toUserInfo(row)
}

/** Records that a mailed link proved the address. @returns undefined when the person has another address by now. */
export async function markEmailVerified(transaction: Db, id: number, email: string): Promise<UserInfo | undefined> {
  const row = await transaction
    .updateTable('users')
    .set({ is_email_verified: 1, verified_email: email })
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
