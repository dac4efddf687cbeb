import type { logIn, register, setUp } from '@proofdesk/contract/auth'
import { VERIFIED_LINK_SECONDS } from '@proofdesk/contract/limits'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { In, Out } from '@proofdesk/contract/route'
import type { UserInfo } from '@proofdesk/contract/users'
import { inTransaction } from '../../db/in-transaction.ts'
import { claimFact } from '../../db/instance.ts'
import type { Db } from '../../db/open.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Event } from '../../events/event.ts'
import { recordEvents, type Emit } from '../../events/record-events.ts'
import { recordFailure } from '../../events/record-failure.ts'
import type { Caller } from '../../http/caller.ts'
import { byClient, nameClient } from '../../http/limits.ts'
import { attemptMail } from '../../http/mail-limits.ts'
import { hashToken, looksLikeToken, makeToken } from '../../secrets/tokens.ts'
import {
  findPasswordHash,
  findUserInfo,
  findUserToSignIn,
  hasSuperuser,
  holdActiveUser,
  markEmailVerified,
} from '../users/queries.ts'
import { knowsNetwork } from '../sessions/service.ts'
import { countWrongCode, enterAfterFirstStep, takeCode, type Entry } from '../two-factor/service.ts'
import { userEvents } from '../users/events.ts'
import { createAccount } from '../users/service.ts'
import { foldCase } from '../../text/fold-case.ts'
import { authEvents } from './events.ts'
import {
  addSetupLink,
  deleteExpiredLinks,
  deleteResetLinks,
  deleteSetupLinks,
  deleteVerificationLinks,
  findVerifiedLink,
  hasSetupLink,
  insertLinkToken,
  takeMailedLink,
  takeSetupLink,
} from './queries.ts'
import {
  REGISTRATION,
  SIGN_IN_ACCOUNT,
  SIGN_IN_ADDRESS,
  SIGN_IN_ELSEWHERE,
  SIGN_IN_SUCCESS,
  SIGN_IN_TOLD,
  VERIFICATION_MAILS,
} from './limits.ts'
import { CODE_WRONG } from '../two-factor/limits.ts'

/**
 * Makes an ordinary account and has its address verified by mail.
 * @throws AppError `invalid` with the fields somebody else has already, `rate_limited`.
 */
export async function registerUser(deps: Deps, address: string, input: In<typeof register, 'body'>): Promise<UserInfo> {
  // First: one address that had its mails costs those behind the same client nothing.
  const mailed = await attemptMail(deps.limits, VERIFICATION_MAILS, { email: input.email, from: address })
  const askedBy = nameClient(address)
  try {
    await deps.limits.attempt(...byClient(REGISTRATION, address))
    return await createAccount(deps, {
      ...input,
      role: 'user',
      isEmailVerified: false,
      origin: 'registration',
      askedBy,
    })
  } catch (error) {
    // Nobody was mailed.
    await mailed.forgive()
    throw error
  }
}

/** No account has it. */
const NOBODY = 0

/**
 * Signs in. An unknown name, a wrong password and a deactivated account take the same work and the same answer.
 * @throws AppError `wrong_credentials`, `rate_limited`, `busy`
 */
export async function signIn(deps: Deps, from: Caller, input: In<typeof logIn, 'body'>): Promise<Out<typeof logIn>> {
  const account = foldCase(input.username)
  const { address } = from
  const successes = byClient(SIGN_IN_SUCCESS, address, account)
  for (const count of successes) await deps.limits.mustHaveLeft(count)
  const { info, answer } = await deps.limits.watch(
    [...byClient(SIGN_IN_ADDRESS, address), ...byClient(SIGN_IN_ACCOUNT, address, account)],
    () => tryPassword(deps, from, account, input),
  )
  for (const count of successes) await deps.limits.tally(count)
  return { ...info, ...answer, user_id: info.id }
}

async function tryPassword(deps: Deps, from: Caller, account: string, input: In<typeof logIn, 'body'>): Promise<Entry> {
  const { address } = from
  const user = await findUserToSignIn(deps.reads, input.username)
  const userId = user?.info.id ?? NOBODY
  const guesser = { address, userId, account }
  return slowStrangers(deps, guesser, async () => {
    const passwordHash = user?.passwordHash ?? null
    const matches = await deps.passwords.matches(passwordHash, input.password, nameClient(address))
    const isRight = matches && passwordHash !== null && user?.info.is_active
    const entry = isRight ? await enterAfterFirstStep(deps, { userId, from, passwordHash }) : undefined
    if (entry) return entry
    await countWrongPassword(deps, guesser, authEvents.sign_in_failed(userId === NOBODY ? null : userId, 'password'))
    throw new AppError('wrong_credentials')
  })
}

/** Whose password somebody shows, and from where. */
interface Guesser {
  /** Client address. */
  address: string
  userId: number
  /** Their username, folded. */
  account: string
}

/**
 * Looks at a password. Where the account was never signed in to from, all strangers to it together are slowed down once many
 * have failed, also those who have got hold of a session of it.
 * @param look Throws when it is wrong.
 * @throws AppError `rate_limited`, and what `look` throws
 */
export async function slowStrangers<T>(
  deps: Deps,
  { address, userId, account }: Guesser,
  look: () => Promise<T>,
): Promise<T> {
  const isKnown = await knowsNetwork(deps, userId, nameClient(address))
  return deps.limits.watch(isKnown ? [] : [{ limit: SIGN_IN_ELSEWHERE, key: account }], look)
}

/**
 * Tells the owner of an account once many passwords were wrong, wherever they came from; nobody, where there is none.
 * @param failure What the audit trail says of this one.
 */
export async function countWrongPassword(
  deps: Deps,
  { userId, account }: Pick<Guesser, 'userId' | 'account'>,
  failure: Event,
): Promise<void> {
  const isTold = (await deps.limits.tally({ limit: SIGN_IN_TOLD, key: account })) === 'last'
  const warnings = isTold ? [userEvents.owner_warned(userId, 'wrong_passwords')] : []
  await recordFailure(deps, failure, ...warnings)
}

/** Who shows once more that an account is theirs. */
export interface Claimant {
  /** Client address. */
  address: string
  userId: number
  username: string
}

/**
 * Looks at a password of somebody whose account is known, and with two-factor on at a code as well: who has got hold of
 * an access token may know the password too. Guesses count like those of signing in.
 * @param shown `confirm` stands for the password: it says whether a provider's word holds. Before any code: who has nothing but
 *   an access token guesses none.
 * @param run What both steps open; in the transaction that holds the person.
 * @throws AppError `password_wrong`, `provider_login_failed`, `two_factor_code_missing`, `two_factor_code_wrong`, `not_signed_in` for deactivated
 *   people, `rate_limited`, `busy`, and what `run` throws
 */
export async function proveOnceMore<T>(
  deps: Deps,
  { address, userId, username }: Claimant,
  shown: FirstProof & { otp?: string | undefined },
  run: (transaction: Db, emit: Emit, user: UserInfo) => Promise<T>,
): Promise<T> {
  const account = foldCase(username)
  const limits = [...byClient(SIGN_IN_ADDRESS, address), ...byClient(SIGN_IN_ACCOUNT, address, account)]
  const guesser = { address, userId, account }
  const prove = async () => {
    const { password } = shown
    const passwordHash = password === undefined ? null : await findPasswordHash(deps.reads, userId)
    if (password !== undefined)
      await slowStrangers(deps, guesser, async () => {
        if (!(await deps.passwords.matches(passwordHash, password, nameClient(address)))) throw refusePassword()
      })
    // Codes of one account are bounded whatever the address they come from.
    const tried = await deps.limits.watch(shown.otp === undefined ? [] : [{ limit: CODE_WRONG, key: userId }], () =>
      recordEvents(deps, async (transaction, emit) => {
        const user = await holdActiveUser(transaction, userId, passwordHash ?? undefined)
        if (!user) throw passwordHash === null ? new AppError('not_signed_in') : refusePassword()
        // What was shown so far held: no failure. Before a provider's word is taken, which is good once.
        if (user.hasTwoFactor && shown.otp === undefined) return { isCodeMissing: true } as const
        // No code is looked at then, so none was wrong.
        if (shown.confirm && !(await shown.confirm(transaction))) return { isUnconfirmed: true } as const
        if (user.hasTwoFactor && !(await takeCode(transaction, deps, userId, shown.otp ?? '')))
          throw refuseCode('two_factor_code_wrong')
        return { done: await run(transaction, emit, user.info) }
      }),
    )
    if ('isUnconfirmed' in tried) throw new AppError('provider_login_failed')
    return tried
  }
  const outcome = await deps.limits.watch(limits, prove).catch(async (error: unknown) => {
    const code = error instanceof AppError ? error.code : undefined
    const failure = authEvents.confirmation_failed(userId)
    if (code === 'password_wrong') await countWrongPassword(deps, guesser, failure)
    if (code === 'two_factor_code_wrong') await countWrongCode(deps, userId, failure)
    throw error
  })
  if ('isCodeMissing' in outcome) throw refuseCode('two_factor_code_missing')
  return outcome.done
}

/** What is shown first: a password, or what stands for it. */
type FirstProof =
  | { password: string; confirm?: undefined }
  | { password?: undefined; confirm: (transaction: Db) => Promise<boolean> }

function refuseCode(code: 'two_factor_code_missing' | 'two_factor_code_wrong'): AppError {
  return new AppError(code, { fields: { otp: [sayEnglish(code)] } })
}

function refusePassword(): AppError {
  return new AppError('password_wrong', { fields: { password: [sayEnglish('password_wrong')] } })
}

/** Uses up the token of a verification mail. @throws AppError `link_invalid`, `email_already_verified`; `email_kept`, which uses nothing up */
export async function verifyAddress(deps: Deps, token: string): Promise<{ detail: string; username: string }> {
  if (!looksLikeToken(token)) throw new AppError('link_invalid')
  const { now } = deps
  const hash = hashToken(token)
  const verifyBy = async (transaction: Db, emit: Emit) => {
    const link = await takeMailedLink(transaction, 'verify_email', hash, now())
    if (!link) throw await findWhyNotVerified(transaction, hash, now())
    const { userId, email } = link
    const verified = await markEmailVerified(transaction, { id: userId, email, now: now() })
    if (verified === 'kept') throw new AppError('email_kept')
    if (verified === 'taken') throw new AppError('link_invalid')
    await deleteVerificationLinks(transaction, userId)
    // From now on a reset goes to this address, and no link that went to an earlier one may set a password.
    await deleteResetLinks(transaction, userId)
    const expires_at = now() + VERIFIED_LINK_SECONDS * 1000
    await insertLinkToken(transaction, { hash, kind: 'verified_email', user_id: userId, email, expires_at })
    await emit(authEvents.email_verified(userId))
    return { detail: sayEnglish('email_verified_done'), username: verified.username }
  }
  try {
    return await recordEvents(deps, verifyBy)
  } catch (error) {
    // Two accounts proved one address at the same moment; the other was first.
    throw isUniqueViolation(error) ? new AppError('link_invalid') : error
  }
}

/**
 * Whoever presses twice, or opens the mail once more, is told what is so. Only who has the link learns anything by it, and less
 * than it told the first time.
 */
async function findWhyNotVerified(db: Db, hash: string, now: number): Promise<AppError> {
  const link = await findVerifiedLink(db, hash, now)
  const user = link && (await findUserInfo(db, link.userId))
  const isVerified = user?.is_active && user.is_email_verified && user.email === link?.email
  return new AppError(isVerified ? 'email_already_verified' : 'link_invalid')
}

/** Makes a setup token, which lives as long as no superuser exists; undefined once one does. */
export async function makeSetupToken({ db }: { db: Db }): Promise<string | undefined> {
  return inTransaction(db, async (transaction) => {
    if (await hasSuperuser(transaction)) return undefined
    const token = makeToken()
    await addSetupLink(transaction, hashToken(token))
    return token
  })
}

/** Uses nothing up. @throws AppError `setup_closed` for a wrong token and once a superuser exists. */
export async function checkSetupLink({ reads }: Deps, token: string): Promise<void> {
  const hash = looksLikeToken(token) ? hashToken(token) : undefined
  // A superuser may have been made from the shell while the link was about.
  if (hash === undefined || !(await hasSetupLink(reads, hash)) || (await hasSuperuser(reads)))
    throw new AppError('setup_closed')
}

/**
 * Makes the first superuser. Whoever reads the server's output runs it, and no mail server may exist yet, so the address
 * counts as verified.
 * @throws AppError `setup_closed` for a wrong token, once a superuser exists, and for all but one of several at once.
 */
export async function setUpInstance(deps: Deps, input: In<typeof setUp, 'body'>): Promise<UserInfo> {
  const hash = looksLikeToken(input.token) ? hashToken(input.token) : undefined
  // Before anything else: without the token nobody learns which names are taken.
  if (hash === undefined || !(await hasSetupLink(deps.reads, hash))) throw new AppError('setup_closed')
  const blank = { first_name: '', last_name: '', phone_number: '', birthdate: null }
  const { username, email, password } = input
  return createAccount(
    deps,
    { ...blank, username, email, password, role: 'superuser', isEmailVerified: true, origin: 'setup' },
    async (transaction) => {
      const isFirst = (await takeSetupLink(transaction, hash)) && !(await hasSuperuser(transaction))
      // The insert that decides between two links, as those that two nodes print.
      if (!isFirst || !(await claimFact(transaction, 'first_superuser', 'made'))) throw new AppError('setup_closed')
      await deleteSetupLinks(transaction)
    },
  )
}

/** Runs every hour. */
export async function sweepLinks({ db, now }: { db: Db; now: () => number }): Promise<void> {
  await deleteExpiredLinks(db, now())
}
