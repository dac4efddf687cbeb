import { CHALLENGE_MAX_WRONG_CODES } from '@proofdesk/contract/limits'
import type { Insertable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { AuthenticatorRow, ChallengeRow, PendingAuthenticatorRow } from '../../db/sign-in-tables.ts'

/** Puts a pending secret in place of one that is older than `staleBefore` or of another session, and of no other. */
export async function offerPendingSecret(
  transaction: Db,
  row: PendingAuthenticatorRow,
  staleBefore: number,
): Promise<void> {
  await transaction
    .insertInto('pending_authenticators')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ session_id: row.session_id, sealed_secret: row.sealed_secret, made_at: row.made_at })
        .where(({ eb, or }) =>
          or([
            eb('pending_authenticators.session_id', '!=', row.session_id),
            eb('pending_authenticators.made_at', '<=', staleBefore),
          ]),
        ),
    )
    .execute()
}

/** The pending secret of one session, sealed. */
export async function findPendingSecret(
  db: Db,
  { userId, sessionId, madeAfter }: { userId: number; sessionId: number; madeAfter: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('pending_authenticators')
    .select('sealed_secret')
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .where('made_at', '>', madeAfter)
    .executeTakeFirst()
  return row?.sealed_secret
}

/** @returns false when another request was faster. */
export async function takePendingSecret(transaction: Db, userId: number, sealedSecret: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('pending_authenticators')
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', sealedSecret)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function insertAuthenticator(transaction: Db, row: AuthenticatorRow): Promise<void> {
  await transaction.insertInto('authenticators').values(row).execute()
}

/** The confirmed secret, sealed. */
export async function findAuthenticator(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('authenticators')
    .select('sealed_secret')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.sealed_secret
}

/** Forgets everything that signs this person in besides their password, and whatever waits for a code. */
export async function deleteTwoFactor(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('authenticators').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('pending_authenticators').where('user_id', '=', userId).execute()
  await transaction.deleteFrom('used_codes').where('user_id', '=', userId).execute()
  await deleteRecoveryCodes(transaction, userId)
  await deleteChallenges(transaction, userId)
}

/** Forgets an authenticator that was set up since then, and recovery codes made since. @returns what there was */
export async function deleteTwoFactorSince(
  transaction: Db,
  userId: number,
  since: number,
): Promise<'authenticator' | 'recovery_codes' | undefined> {
  const { numDeletedRows } = await transaction
    .deleteFrom('authenticators')
    .where('user_id', '=', userId)
    .where('confirmed_at', '>=', since)
    .executeTakeFirstOrThrow()
  const codes = await transaction
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('made_at', '>=', since)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return codes.numDeletedRows === 0n ? undefined : 'recovery_codes'
  await deleteTwoFactor(transaction, userId)
  return 'authenticator'
}

/** Takes the code of a time step: of several requests with the same one, this holds for one only. */
export async function takeStep(transaction: Db, userId: number, step: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('used_codes')
    .values({ user_id: userId, step })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function insertRecoveryCodes(
  transaction: Db,
  userId: number,
  hashes: string[],
  now: number,
): Promise<void> {
  await transaction
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash, made_at: now })))
    .execute()
}

export async function deleteRecoveryCodes(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Uses a recovery code up: of several requests with the same one, this holds for one only. */
export async function takeRecoveryCode(transaction: Db, userId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function insertChallenge(transaction: Db, row: Insertable<ChallengeRow>): Promise<void> {
  await transaction.insertInto('challenges').values(row).execute()
}

/** Whether a challenge still takes codes. */
export async function isChallengeOpen(
  db: Db,
  { userId, createdAfter, hash }: { userId: number; createdAfter: number; hash: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('challenges')
    .select('hash')
    .where('hash', '=', hash)
    .where('user_id', '=', userId)
    .where('created_at', '>', createdAfter)
    .where('wrong_codes', '<', CHALLENGE_MAX_WRONG_CODES)
    .executeTakeFirst()
  return row !== undefined
}

/** The password steps of one person, client and program that wait for their code; at most two of them. */
export async function listChallengesOf(
  db: Db,
  { userId, client, agent, createdAfter }: { userId: number; client: string; agent: string; createdAfter: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('challenges')
    .select('hash')
    .where('user_id', '=', userId)
    .where('client', '=', client)
    .where('agent', '=', agent)
    .where('created_at', '>', createdAfter)
    .where('wrong_codes', '<', CHALLENGE_MAX_WRONG_CODES)
    .limit(2)
    .execute()
  return rows.map(({ hash }) => hash)
}

/** Codes that come with the challenge are counted apart from those that come without. */
export type CodeColumn = 'wrong_codes' | 'bare_wrong_codes'

/**
 * Counts a code as wrong before it is looked at, so that codes sent at once cannot outrun the limit.
 * @returns how many wrong codes that makes; undefined when the challenge takes no more.
 */
export async function countCode(transaction: Db, hash: string, column: CodeColumn): Promise<number | undefined> {
  const row = await transaction
    .updateTable('challenges')
    .set(({ eb }) => ({ [column]: eb(column, '+', 1) }))
    .where('hash', '=', hash)
    .where(column, '<', CHALLENGE_MAX_WRONG_CODES)
    .returning(column)
    .executeTakeFirst()
  return row?.[column]
}

export async function deleteChallenge(transaction: Db, hash: string): Promise<void> {
  await transaction.deleteFrom('challenges').where('hash', '=', hash).execute()
}

export async function deleteChallenges(transaction: Db, userId: number): Promise<void> {
  await transaction.deleteFrom('challenges').where('user_id', '=', userId).execute()
}

/** Removes what can no longer be used. */
export async function deleteOutdated(
  transaction: Db,
  before: { challenges: number; pending: number; step: number },
): Promise<void> {
  await transaction.deleteFrom('challenges').where('created_at', '<=', before.challenges).execute()
  await transaction.deleteFrom('pending_authenticators').where('made_at', '<=', before.pending).execute()
  await transaction.deleteFrom('used_codes').where('step', '<', before.step).execute()
}

/** Steps of signing in and setting up that are under way. */
export async function deleteAllChallenges(transaction: Db): Promise<void> {
  await transaction.deleteFrom('challenges').execute()
  await transaction.deleteFrom('pending_authenticators').execute()
}
