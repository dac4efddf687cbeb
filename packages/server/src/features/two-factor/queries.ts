import { CHALLENGE_MAX_WRONG_CODES } from '@proofdesk/contract/limits'
import type { Insertable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { AuthenticatorRow, ChallengeRow, PendingAuthenticatorRow } from '../../db/schema.ts'

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
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await deleteChallenges(transaction, userId)
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

export async function insertRecoveryCodes(transaction: Db, userId: number, hashes: string[]): Promise<void> {
  await transaction
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
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

/** Which challenges a code may lean on. */
export interface ChallengeSearch {
  userId: number
  createdAfter: number
  /** The one challenge it came with; undefined: the newest of `client`. */
  hash: string | undefined
  client: string
}

/** @returns the hash of a challenge that still takes codes. */
export async function findChallenge(db: Db, search: ChallengeSearch): Promise<string | undefined> {
  const open = db
    .selectFrom('challenges')
    .select('hash')
    .where('user_id', '=', search.userId)
    .where('created_at', '>', search.createdAfter)
    .where('wrong_codes', '<', CHALLENGE_MAX_WRONG_CODES)
  const row = await (
    search.hash === undefined
      ? open.where('client', '=', search.client).orderBy('created_at', 'desc').orderBy('hash').limit(1)
      : open.where('hash', '=', search.hash)
  ).executeTakeFirst()
  return row?.hash
}

/**
 * Counts a code as wrong before it is looked at, so that codes sent at once cannot outrun the limit.
 * @returns how many wrong codes that makes; undefined when the challenge takes no more.
 */
export async function countCode(transaction: Db, hash: string): Promise<number | undefined> {
  const row = await transaction
    .updateTable('challenges')
    .set(({ eb }) => ({ wrong_codes: eb('wrong_codes', '+', 1) }))
    .where('hash', '=', hash)
    .where('wrong_codes', '<', CHALLENGE_MAX_WRONG_CODES)
    .returning('wrong_codes')
    .executeTakeFirst()
  return row?.wrong_codes
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
