import type { Profile } from '@proofdesk/contract/account'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { UserInfo } from '@proofdesk/contract/users'
import { sql, type Insertable } from 'kysely'
import type { Flag } from '../../db/flag.ts'
import type { Db } from '../../db/open.ts'
import type { UserRow } from '../../db/schema.ts'
import { toEmailKey } from '../../text/email-key.ts'
import { foldCase } from '../../text/fold-case.ts'
import { toUsernameSkeleton } from '../../text/username-skeleton.ts'
import { INFO_COLUMNS, toUserInfo, type InfoRow } from './info-row.ts'
import { NO_REFUSAL } from './mail-refusal/queries.ts'

/** In the statement itself: an index of a part of the table serves no statement that only learns later which part it asks for. */
export const SUPERUSER = sql.lit<Flag>(1)

/** What the permission rules need to know of a person. */
export function toViewer(row: Omit<InfoRow, 'email' | 'is_active' | `mail_refused_${'at' | 'words'}`>): Viewer {
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

/**
 * Words about somebody's documents go to an address that is proved to be theirs, and to nobody who is shut out.
 * @returns undefined where there is no such address.
 */
export async function findReachableUser(db: Db, id: number): Promise<UserInfo | undefined> {
  const user = await findUserInfo(db, id)
  return user?.is_active && user.is_email_verified ? user : undefined
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
    .where('email_key', '=', toEmailKey(email))
    .executeTakeFirst()
  return row && toUserInfo(row)
}

/**
 * Which of the two somebody has already, whatever its case: an address only once it was verified. And whether somebody
 * has a name that looks like it.
 */
export async function findTaken(
  db: Db,
  wanted: { username: string; email: string },
): Promise<{ username: boolean; lookAlike: boolean; email: boolean }> {
  const usernameKey = foldCase(wanted.username)
  const skeleton = toUsernameSkeleton(wanted.username)
  const emailKey = toEmailKey(wanted.email)
  const rows = await db
    .selectFrom('users')
    .select(['username_key', 'username_skeleton', 'email_key', 'is_email_verified'])
    .where(({ eb, or }) =>
      or([
        eb('username_key', '=', usernameKey),
        eb('username_skeleton', '=', skeleton),
        eb('email_key', '=', emailKey),
      ]),
    )
    .execute()
  return {
    username: rows.some((row) => row.username_key === usernameKey),
    lookAlike: rows.some((row) => row.username_skeleton === skeleton),
    email: rows.some((row) => row.email_key === emailKey && row.is_email_verified === 1),
  }
}

/**
 * Takes an address from accounts that only claim it. They keep it on their page and may still prove it by the link they were
 * sent: whoever does so first has it. A key with a space is nobody's address.
 */
async function displaceClaims(transaction: Db, email: string, exceptId = 0): Promise<void> {
  await transaction
    .updateTable('users')
    .set({ email_key: sql<string>`email_key || ' ' || id` })
    .where('email_key', '=', toEmailKey(email))
    .where('is_email_verified', '=', 0)
    .where('id', '!=', exceptId)
    .execute()
}

/** `kept`: somebody else may still take the change of it back. `taken`: somebody else has verified it. */
export type EmailHold = 'done' | 'kept' | 'taken'

/** Gives an account its own address for good. Every way to verify one goes through here. */
export async function holdEmail(transaction: Db, id: number, email: string, now: number): Promise<EmailHold> {
  if (await isEmailHeld(transaction, email, now, id)) return 'kept'
  const emailKey = toEmailKey(email)
  await displaceClaims(transaction, email, id)
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ email_key: emailKey })
    .where('id', '=', id)
    .where('email', '=', email)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('users as other')
            .select('other.id')
            .where('other.email_key', '=', emailKey)
            .where('other.id', '!=', id),
        ),
      ),
    )
    // Asked once more in the statement that decides: its person may have changed it since.
    .where(({ not, exists }) => not(exists(selectHolds(transaction, email, now, id))))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n ? 'done' : 'taken'
}

/**
 * Whether an address is kept for somebody else who may still take its change back. Asked after the row is written: who
 * waited for that change to be committed sees it then.
 */
export async function isEmailHeld(transaction: Db, email: string, now: number, userId: number): Promise<boolean> {
  return (await selectHolds(transaction, email, now, userId).executeTakeFirst()) !== undefined
}

function selectHolds(transaction: Db, email: string, now: number, userId: number) {
  return transaction
    .selectFrom('email_changes')
    .select('email_changes.id')
    .where('held_email_key', '=', toEmailKey(email))
    .where('undo_until', '>', now)
    .where('user_id', '!=', userId)
    .limit(1)
}

/** @returns undefined when the name, one that looks like it, or the address was taken in the meantime. */
export async function insertUser(
  transaction: Db,
  values: Omit<
    Insertable<UserRow>,
    'username_key' | 'username_skeleton' | 'email_key' | 'recovery_email' | 'recovery_email_key'
  >,
): Promise<UserInfo | undefined> {
  await displaceClaims(transaction, values.email)
  const row = await transaction
    .insertInto('users')
    .values({
      ...values,
      username_key: foldCase(values.username),
      username_skeleton: toUsernameSkeleton(values.username),
      email_key: toEmailKey(values.email),
      recovery_email: values.email,
      recovery_email_key: toEmailKey(values.email),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(INFO_COLUMNS)
    .executeTakeFirst()
  return row && toUserInfo(row)
}

/**
 * Records that a mailed link proved the address; whoever only claims it loses it.
 * @returns `taken` also when the person has another address by now, or was deactivated.
 */
export async function markEmailVerified(
  transaction: Db,
  { id, email, now }: { id: number; email: string; now: number },
): Promise<UserInfo | Exclude<EmailHold, 'done'>> {
  const hold = await holdEmail(transaction, id, email, now)
  if (hold !== 'done') return hold
  const row = await transaction
    .updateTable('users')
    .set({
      ...NO_REFUSAL,
      is_email_verified: 1,
      verified_email: email,
      recovery_email: email,
      recovery_email_key: toEmailKey(email),
    })
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .returning(INFO_COLUMNS)
    .executeTakeFirst()
  return row ? toUserInfo(row) : 'taken'
}

/** Holds the person's row until the end of the transaction, and records when they last came in. */
export async function noteSignIn(transaction: Db, id: number, at: number): Promise<void> {
  await transaction.updateTable('users').set({ last_sign_in_at: at }).where('id', '=', id).execute()
}

export async function hasSuperuser(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('is_superuser', '=', SUPERUSER)
    .limit(1)
    .executeTakeFirst()
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
 * Holds a person and whoever claims the address they are about to have, before either is changed. Always in the order of
 * their ids, so that people who swap addresses wait instead of blocking one another.
 */
export async function holdWithClaimants(transaction: Db, id: number, email: string): Promise<void> {
  const claimants = await transaction
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', toEmailKey(email))
    .where('is_email_verified', '=', 0)
    .where('id', '!=', id)
    .execute()
  const ids = [id, ...claimants.map((claimant) => claimant.id)].toSorted((a, b) => a - b)
  for (const each of ids) await holdUser(transaction, each)
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

/**
 * Accounts that a person may mean who types this address: their present one, or the one a reset goes to. Those that have
 * proved it come first: however many others only claim it, its owner is among them.
 */
export async function listUsersToReset(db: Db, email: string, most: number): Promise<number[]> {
  const key = toEmailKey(email)
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(({ eb, or }) => or([eb('email_key', '=', key), eb('recovery_email_key', '=', key)]))
    .where('is_active', '=', 1)
    .orderBy(sql`case when recovery_email_key = ${key} and verified_email = recovery_email then 0 else 1 end`)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** Where mails about the safety of an account go; undefined for deactivated people. */
export async function findRecoveryAddress(
  db: Db,
  id: number,
): Promise<{ username: string; email: string; recoveryEmail: string; isProved: boolean } | undefined> {
  const row = await db
    .selectFrom('users')
    .select(['username', 'email', 'recovery_email', 'verified_email'])
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  if (!row) return undefined
  const { username, email, recovery_email: recoveryEmail } = row
  return { username, email, recoveryEmail, isProved: row.verified_email === recoveryEmail }
}

/** Whether an account has an address that it has not proved, and that a reset does not go to; of deactivated people too. */
export async function hasUnprovedEmail(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .whereRef('email', '!=', 'recovery_email')
    .executeTakeFirst()
  return row !== undefined
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
 * Gives the account another address, unverified, from whoever only claims it; where a reset goes stays as it is.
 * @returns false when the address was another than `from` by now.
 * @throws the database's unique violation when somebody else has verified it
 */
export async function replaceEmail(transaction: Db, id: number, from: string, to: string): Promise<boolean> {
  await displaceClaims(transaction, to, id)
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ ...NO_REFUSAL, email: to, email_key: toEmailKey(to), is_email_verified: 0 })
    .where('id', '=', id)
    .where('email', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Gives the account an address back that it had and had proved, also while it is deactivated: that opens nothing.
 * @throws the database's unique violation when somebody else has it
 */
export async function restoreEmail(transaction: Db, id: number, email: string): Promise<UserInfo> {
  const key = toEmailKey(email)
  const row = await transaction
    .updateTable('users')
    .set({
      ...NO_REFUSAL,
      email,
      email_key: key,
      is_email_verified: 1,
      verified_email: email,
      recovery_email: email,
      recovery_email_key: key,
    })
    .where('id', '=', id)
    .returning(INFO_COLUMNS)
    .executeTakeFirstOrThrow()
  return toUserInfo(row)
}
