import type { logIn, register, setUp } from '@proofdesk/contract/auth'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { In, Out } from '@proofdesk/contract/route'
import type { UserInfo } from '@proofdesk/contract/users'
import { claimFact } from '../../db/instance.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { nameClient } from '../../http/limits.ts'
import { hashToken, looksLikeToken, makeToken } from '../../tokens.ts'
import { findUserToSignIn, hasSuperuser, markEmailVerified } from '../users/queries.ts'
import { enterAfterFirstStep } from '../two-factor/service.ts'
import { createAccount, refuseFutureBirthdate } from '../users/service.ts'
import { foldCase } from '../../fold-case.ts'
import {
  deleteExpiredLinks,
  deleteResetLinks,
  deleteVerificationLinks,
  hasSetupLink,
  replaceSetupLink,
  takeMailedLink,
  takeSetupLink,
} from './queries.ts'

/**
 * Makes an ordinary account and has its address verified by mail.
 * @throws AppError `invalid` with the fields somebody else has already, `rate_limited`.
 */
export async function registerUser(deps: Deps, address: string, input: In<typeof register, 'body'>): Promise<UserInfo> {
  refuseFutureBirthdate(input.birthdate, deps.now())
  await deps.limits.attempt({ name: 'registration', key: nameClient(address) })
  const user = await createAccount(deps, { ...input, role: 'user', isEmailVerified: false })
  deps.outbox.ring()
  return user
}

/**
 * Signs in. An unknown name, a wrong password and a deactivated account take the same work and the same answer.
 * @throws AppError `wrong_credentials`, `rate_limited`, `busy`
 */
export async function signIn(deps: Deps, address: string, input: In<typeof logIn, 'body'>): Promise<Out<typeof logIn>> {
  const client = nameClient(address)
  const attempt = await deps.limits.attempt(
    { name: 'sign_in_address', key: client },
    { name: 'sign_in_account', key: `${client} ${foldCase(input.username)}` },
  )
  const user = await findUserToSignIn(deps.reads, input.username)
  const matches = await matchPassword(deps, attempt, user?.passwordHash ?? null, input.password)
  if (!user?.passwordHash || !matches || !user.info.is_active) throw new AppError('wrong_credentials')
  const entry = await enterAfterFirstStep(deps, { userId: user.info.id, client, passwordHash: user.passwordHash })
  if (!entry) throw new AppError('wrong_credentials')
  await attempt.forgive()
  return { ...entry.info, ...entry.answer, user_id: entry.info.id }
}

/** A server that is too busy to look is no failure of the caller. */
async function matchPassword(
  { passwords }: Deps,
  attempt: { forgive(): Promise<void> },
  stored: string | null,
  given: string,
): Promise<boolean> {
  try {
    return await passwords.matches(stored, given)
  } catch (error) {
    await attempt.forgive()
    throw error
  }
}

/** Uses up the token of a verification mail. @throws AppError `link_invalid` */
export async function verifyAddress({ db, now }: Deps, token: string): Promise<{ detail: string; username: string }> {
  if (!looksLikeToken(token)) throw new AppError('link_invalid')
  const user = await db.transaction().execute(async (transaction) => {
    const link = await takeMailedLink(transaction, 'verify_email', hashToken(token), now())
    if (!link) throw new AppError('link_invalid')
    const verified = await markEmailVerified(transaction, link.userId, link.email)
    if (!verified) throw new AppError('link_invalid')
    await deleteVerificationLinks(transaction, link.userId)
    // From now on a reset goes to this address, and no link that went to an earlier one may set a password.
    await deleteResetLinks(transaction, link.userId)
    return verified
  })
  return { detail: sayEnglish('email_verified_done'), username: user.username }
}

/** Makes a new setup token, in place of any earlier one; undefined once a superuser exists. */
export async function makeSetupToken({ db }: { db: Db }): Promise<string | undefined> {
  return db.transaction().execute(async (transaction) => {
    if (await hasSuperuser(transaction)) return undefined
    const token = makeToken()
    await replaceSetupLink(transaction, hashToken(token))
    return token
  })
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
  const user = await createAccount(
    deps,
    { ...blank, username, email, password, role: 'superuser', isEmailVerified: true },
    async (transaction) => {
      const isFirst = (await takeSetupLink(transaction, hash)) && !(await hasSuperuser(transaction))
      // The insert that decides, should two links ever be about.
      if (!isFirst || !(await claimFact(transaction, 'first_superuser', 'made'))) throw new AppError('setup_closed')
    },
  )
  deps.outbox.ring()
  return user
}

/** Runs every hour. */
export async function sweepLinks({ db, now }: { db: Db; now: () => number }): Promise<void> {
  await deleteExpiredLinks(db, now())
}
