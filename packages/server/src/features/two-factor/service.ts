import { CHALLENGE_BY_ADDRESS_SECONDS, CHALLENGE_MAX_WRONG_CODES, CHALLENGE_SECONDS } from '@proofdesk/contract/limits'
import type { Tokens } from '@proofdesk/contract/sessions'
import type { UserInfo } from '@proofdesk/contract/users'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Event } from '../../events/event.ts'
import { recordEvents, type Emit } from '../../events/record-events.ts'
import { recordFailure } from '../../events/record-failure.ts'
import type { Caller } from '../../http/caller.ts'
import type { Limit } from '../../http/limit.ts'
import { byClient, nameClient } from '../../http/limits.ts'
import { hashToken, makeToken } from '../../secrets/tokens.ts'
import { toAsciiDigits } from '../../text/ascii-digits.ts'
import { beginSession, rememberNetwork } from '../sessions/service.ts'
import { userEvents } from '../users/events.ts'
import { holdActiveUser } from '../users/queries.ts'
import { findStep, looksLikeOtp } from './authenticator-app.ts'
import { twoFactorEvents } from './events.ts'
import {
  countCode,
  deleteChallenge,
  findAuthenticator,
  insertChallenge,
  isChallengeOpen,
  listChallengesOf,
  takeRecoveryCode,
  takeStep,
  type CodeColumn,
} from './queries.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { toPurpose } from './secret-purpose.ts'
import { CODE_ACCOUNT, CODE_ADDRESS, CODE_BARE_WRONG, CODE_TOLD, CODE_WRONG } from './limits.ts'

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
 *   `from`: who took it.
 * @returns undefined for deactivated people and for a password that was changed meanwhile.
 */
export async function enterAfterFirstStep(
  deps: Deps,
  step: { userId: number; from: Caller; passwordHash?: string },
): Promise<Entry | undefined> {
  const client = nameClient(step.from.address)
  return recordEvents(deps, async (transaction, emit) => {
    const user = await holdActiveUser(transaction, step.userId, step.passwordHash)
    if (!user) return undefined
    const { info, hasTwoFactor } = user
    const way = step.passwordHash === undefined ? 'provider' : 'password'
    if (!hasTwoFactor) {
      await rememberNetwork(transaction, deps, info.id, client)
      const entering = { userId: info.id, device: step.from.device, way } as const
      const tokens = await beginSession(transaction, emit, deps, entering)
      return { info, answer: { gfa_is_enabled: false, ...tokens, challenge: null } }
    }
    const challenge = makeToken()
    await insertChallenge(transaction, {
      hash: hashToken(challenge),
      user_id: info.id,
      client,
      agent: hashAgent(step.from.agent),
      created_at: deps.now(),
    })
    await emit(twoFactorEvents.first_step_passed(info.id, way))
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
 * The code step. A code that comes with a challenge is bound to it alone. One without is bound to the address and the
 * program of a password step within the last five minutes, the only one that is pending there. A refused code stays good.
 *
 * Whoever has a challenge has shown the password, so nothing that others send counts against them: their codes have
 * limits of their own, and those are the same wherever they come from.
 * @throws AppError `two_factor_code_wrong`, `two_factor_challenge_ended`, `rate_limited`
 */
export async function enterWithCode(deps: Deps, from: Caller, step: CodeStep): Promise<UserInfo & Tokens> {
  const { user_id: userId, otp } = step
  const client = nameClient(from.address)
  const hash = step.challenge === undefined ? undefined : hashToken(step.challenge)
  const createdAfter = deps.now() - CHALLENGE_SECONDS * 1000
  if (hash !== undefined && (await isChallengeOpen(deps.reads, { userId, createdAfter, hash })))
    return tryInTurn(deps, CODE_WRONG, { challenge: hash, column: 'wrong_codes', userId, otp, from })
  return deps.limits.watch(
    [...byClient(CODE_ADDRESS, from.address), ...byClient(CODE_ACCOUNT, from.address, userId)],
    async () => {
      const challenge = hash === undefined ? await findOnlyStep(deps, { userId, client, agent: from.agent }) : undefined
      if (challenge === undefined) throw new AppError('two_factor_challenge_ended')
      return tryInTurn(deps, CODE_BARE_WRONG, { challenge, column: 'bare_wrong_codes', userId, otp, from })
    },
  )
}

/** The password step that a code without a challenge leans on. */
async function findOnlyStep(
  { reads, now }: Deps,
  { userId, client, agent }: { userId: number; client: string; agent: string },
): Promise<string | undefined> {
  const createdAfter = now() - CHALLENGE_BY_ADDRESS_SECONDS * 1000
  const pending = await listChallengesOf(reads, { userId, client, agent: hashAgent(agent), createdAfter })
  return pending.length === 1 ? pending[0] : undefined
}

interface CodeTry {
  challenge: string
  column: CodeColumn
  userId: number
  otp: string
  from: Caller
}

async function tryInTurn(deps: Deps, limit: Limit, given: CodeTry): Promise<UserInfo & Tokens> {
  const outcome = await deps.limits.watch([{ limit, key: given.userId }], async () => {
    const tried = await recordEvents(deps, (transaction, emit) => tryCode(transaction, emit, deps, given))
    // Thrown after the commit: the count of wrong codes must stand.
    if ('wrong' in tried) {
      await countWrongCode(deps, given.userId, twoFactorEvents.code_failed(given.userId))
      throw new AppError(tried.wrong)
    }
    return tried
  })
  // No code was looked at, so none was wrong.
  if ('refused' in outcome) throw new AppError(outcome.refused)
  return outcome.entry
}

type CodeOutcome =
  | { entry: UserInfo & Tokens }
  | { wrong: 'two_factor_code_wrong' | 'two_factor_challenge_ended' }
  | { refused: 'two_factor_challenge_ended' }

async function tryCode(
  transaction: Db,
  emit: Emit,
  deps: Deps,
  { challenge, column, userId, otp, from }: CodeTry,
): Promise<CodeOutcome> {
  const user = await holdActiveUser(transaction, userId)
  const wrongCodes = user?.hasTwoFactor ? await countCode(transaction, challenge, column) : undefined
  if (!user || wrongCodes === undefined) return { refused: 'two_factor_challenge_ended' }
  if (await takeCode(transaction, deps, userId, otp)) {
    await deleteChallenge(transaction, challenge)
    await rememberNetwork(transaction, deps, userId, nameClient(from.address))
    const entering = { userId, device: from.device, way: 'code' } as const
    return { entry: { ...user.info, ...(await beginSession(transaction, emit, deps, entering)) } }
  }
  // Codes without the challenge end nothing for those that come with it: each kind has its count.
  return { wrong: wrongCodes < CHALLENGE_MAX_WRONG_CODES ? 'two_factor_code_wrong' : 'two_factor_challenge_ended' }
}

/**
 * Whoever tries codes has the password, or what stands for it: the owner should know.
 * @param failure What the audit trail says of this one.
 */
export async function countWrongCode(deps: Deps, userId: number, failure: Event): Promise<void> {
  const isTold = (await deps.limits.tally({ limit: CODE_TOLD, key: userId })) === 'last'
  const warnings = isTold ? [userEvents.owner_warned(userId, 'wrong_codes')] : []
  await recordFailure(deps, failure, ...warnings)
}

function hashAgent(agent: string): string {
  return hashToken(`agent\n${agent}`)
}

/** Uses a code of the app or a recovery code up. @returns false for a wrong one, and for one that was used already. */
export async function takeCode(
  transaction: Db,
  { now, secrets }: Pick<Deps, 'now' | 'secrets'>,
  userId: number,
  typed: string,
): Promise<boolean> {
  const otp = toAsciiDigits(typed).replace(/\s/g, '')
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
