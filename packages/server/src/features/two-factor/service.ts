import { CHALLENGE_BY_ADDRESS_SECONDS, CHALLENGE_MAX_WRONG_CODES, CHALLENGE_SECONDS } from '@proofdesk/contract/limits'
import type { Tokens } from '@proofdesk/contract/sessions'
import type { UserInfo } from '@proofdesk/contract/users'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { nameClient } from '../../http/limits.ts'
import { hashToken, makeToken } from '../../tokens.ts'
import { beginSession } from '../sessions/service.ts'
import { holdActiveUser } from '../users/queries.ts'
import { findStep, looksLikeOtp } from './authenticator-app.ts'
import {
  countCode,
  deleteChallenge,
  findAuthenticator,
  findChallenge,
  insertChallenge,
  takeRecoveryCode,
  takeStep,
} from './queries.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { toPurpose } from './secret-purpose.ts'

/** What every way in answers with: tokens, or a challenge that waits for a code. */
export type EntryAnswer =
  | { gfa_is_enabled: false; access: string; refresh: string; challenge: null }
  | { gfa_is_enabled: true; access: null; refresh: null; challenge: string }

export interface Entry {
  info: UserInfo
  answer: EntryAnswer
}

/**
 * The one place that decides what follows once a first step has shown who somebody is, whether by password or by an
 * identity provider: a session, or with two-factor on a challenge.
 * @param step `passwordHash`: the one the password matched; a change of it in the meantime refuses.
 *   `client`: the client address as the limits name it.
 * @returns undefined for deactivated people and for a password that was changed meanwhile.
 */
export async function enterAfterFirstStep(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  step: { userId: number; client: string; passwordHash?: string },
): Promise<Entry | undefined> {
  return db.transaction().execute(async (transaction) => {
    const user = await holdActiveUser(transaction, step.userId, step.passwordHash)
    if (!user) return undefined
    const { info, hasTwoFactor } = user
    if (!hasTwoFactor) {
      const tokens = await beginSession(transaction, now(), info.id)
      return { info, answer: { gfa_is_enabled: false, ...tokens, challenge: null } }
    }
    const challenge = makeToken()
    await insertChallenge(transaction, {
      hash: hashToken(challenge),
      user_id: info.id,
      client: step.client,
      created_at: now(),
    })
    return { info, answer: { gfa_is_enabled: true, access: null, refresh: null, challenge } }
  })
}

export interface CodeStep {
  user_id: number
  /** A code of the app, or a recovery code. */
  otp: string
  /** Of the body or of the cookie. */
  challenge: string | undefined
}

/**
 * The code step. A code that comes with a challenge is bound to it alone, one without to the client address of a
 * password step within the last five minutes. A refused code stays good.
 * @throws AppError `two_factor_code_wrong`, `two_factor_challenge_ended`, `rate_limited`
 */
export async function enterWithCode(deps: Deps, address: string, step: CodeStep): Promise<UserInfo & Tokens> {
  const client = nameClient(address)
  const attempt = await deps.limits.attempt(
    { name: 'code_address', key: client },
    { name: 'code_account', key: `${client} ${step.user_id}` },
  )
  const seconds = step.challenge === undefined ? CHALLENGE_BY_ADDRESS_SECONDS : CHALLENGE_SECONDS
  const challenge = await findChallenge(deps.reads, {
    userId: step.user_id,
    createdAfter: deps.now() - seconds * 1000,
    hash: step.challenge === undefined ? undefined : hashToken(step.challenge),
    client,
  })
  if (challenge === undefined) throw new AppError('two_factor_challenge_ended')
  const outcome = await deps.db
    .transaction()
    .execute((transaction) => tryCode(transaction, deps, { challenge, userId: step.user_id, otp: step.otp }))
  // Thrown after the commit: the count of wrong codes must stand.
  if (typeof outcome === 'string') throw new AppError(outcome)
  await attempt.forgive()
  return outcome
}

type Refusal = 'two_factor_code_wrong' | 'two_factor_challenge_ended'

async function tryCode(
  transaction: Db,
  deps: Deps,
  { challenge, userId, otp }: { challenge: string; userId: number; otp: string },
): Promise<(UserInfo & Tokens) | Refusal> {
  const user = await holdActiveUser(transaction, userId)
  const wrongCodes = user?.hasTwoFactor ? await countCode(transaction, challenge) : undefined
  if (!user || wrongCodes === undefined) return 'two_factor_challenge_ended'
  if (await takeCode(transaction, deps, userId, otp)) {
    await deleteChallenge(transaction, challenge)
    return { ...user.info, ...(await beginSession(transaction, deps.now(), userId)) }
  }
  if (wrongCodes < CHALLENGE_MAX_WRONG_CODES) return 'two_factor_code_wrong'
  await deleteChallenge(transaction, challenge)
  return 'two_factor_challenge_ended'
}

/** Uses a code of the app or a recovery code up. @returns false for a wrong one, and for one that was used already. */
async function takeCode(
  transaction: Db,
  { now, secrets }: Pick<Deps, 'now' | 'secrets'>,
  userId: number,
  typed: string,
): Promise<boolean> {
  const otp = typed.replace(/\s/g, '')
  if (!looksLikeOtp(otp)) {
    const hash = hashRecoveryCode(typed)
    return hash !== undefined && takeRecoveryCode(transaction, userId, hash)
  }
  const sealed = await findAuthenticator(transaction, userId)
  if (sealed === undefined) return false
  const step = findStep(secrets.open(sealed, toPurpose(userId)), otp, now())
  return step !== undefined && takeStep(transaction, userId, step)
}

/** Whether somebody has an authenticator app; it is kept while a superuser has switched their second step off. */
export async function hasAuthenticator(db: Db, userId: number): Promise<boolean> {
  return (await findAuthenticator(db, userId)) !== undefined
}
