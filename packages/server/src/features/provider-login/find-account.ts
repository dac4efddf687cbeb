import { Email, Name } from '@proofdesk/contract/fields'
import type { UserInfo } from '@proofdesk/contract/users'
import type { JWTPayload } from 'jose'
import type { Deps } from '../../deps.ts'
import type { Db } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import type { Emit } from '../../events/record-events.ts'
import { byClient } from '../../http/limits.ts'
import { findUserByEmail } from '../users/queries.ts'
import { createAccount } from '../users/service.ts'
import type { Connection } from './connection.ts'
import { deriveUsername } from './derive-username.ts'
import { providerEvents } from './events.ts'
import { findIdentity, hasIdentityOf, insertIdentity, type IdentityKey } from './queries.ts'
import { REGISTRATION } from '../auth/limits.ts'

/** Names may be taken, and somebody may make the same account at the same moment. */
const MOST_TRIES = 10

/** Whose account it is, or whose it would be once they have shown that it is theirs. */
export type Found = { userId: number } | { join: { userId: number; email: string } }

/** @throws AppError `provider_login_failed` for a subject that the standard does not allow (OpenID Connect Core, 2) */
export function readIdentity({ settings, issuer }: Connection, { sub }: JWTPayload): IdentityKey {
  if (sub === undefined || !/^[\x20-\x7e]{1,255}$/.test(sub)) throw new AppError('provider_login_failed')
  return { provider: settings.id, issuer, subject: sub }
}

/**
 * Whose account it is: that of the person at the provider, whatever their e-mail says by now. Somebody unknown whose
 * verified address nobody has becomes an ordinary account without a password. An account with that address is theirs only
 * once they have shown it; one whose address was never proved may have been made by anybody, so nobody joins it.
 * @param address Of the caller.
 * @throws AppError `provider_email_unverified`, `provider_account_unverified`, `provider_account_taken`, `email_kept`,
 *   `rate_limited`
 */
export async function findOrMakeAccount(
  deps: Deps,
  address: string,
  identity: IdentityKey,
  claims: JWTPayload,
): Promise<Found> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const linked = await findIdentity(deps.reads, identity)
    if (linked !== undefined) return { userId: linked }
    const email = readVerifiedEmail(claims)
    const known = await findUserByEmail(deps.reads, email)
    if (known) {
      // Another first sign-in of the same person may have made it between the two looks.
      const linkedNow = await findIdentity(deps.reads, identity)
      return linkedNow === undefined ? demandJoin(deps, known, identity) : { userId: linkedNow }
    }
    if (tries === 0) await deps.limits.attempt(...byClient(REGISTRATION, address))
    const made = await tryMakeAccount(deps, identity, email, claims, deriveUsername(email, tries))
    if (made !== undefined) return { userId: made }
  }
  throw new Error('an account could be neither found nor made')
}

async function demandJoin(deps: Deps, known: UserInfo, { issuer }: IdentityKey): Promise<Found> {
  if (!known.is_email_verified) throw new AppError('provider_account_unverified')
  if (!known.is_active) throw new AppError('provider_login_failed')
  if (await hasIdentityOf(deps.reads, known.id, issuer)) throw new AppError('provider_account_taken')
  return { join: { userId: known.id, email: known.email } }
}

/** @returns undefined when the name, the address or the person is known by now. */
async function tryMakeAccount(
  deps: Deps,
  identity: IdentityKey,
  email: string,
  claims: JWTPayload,
  username: string,
): Promise<number | undefined> {
  const account = {
    username,
    email,
    password: null,
    first_name: readName(claims['given_name']),
    last_name: readName(claims['family_name']),
    phone_number: '',
    birthdate: null,
    role: 'user',
    isEmailVerified: true,
    origin: 'provider',
  } as const
  const link = async (transaction: Db, userId: number, emit: Emit) => {
    const linked = await insertIdentity(transaction, { ...identity, user_id: userId, email, linked_at: deps.now() })
    // Undoes the account too.
    if (!linked) throw new AppError('invalid')
    await emit(providerEvents.provider_linked(userId, linked, { isNews: false }))
  }
  try {
    return (await createAccount(deps, account, undefined, link)).id
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error
    // For somebody who may take the change of their address back.
    if ('email' in error.fields && !(await findUserByEmail(deps.reads, email)))
      throw new AppError('email_kept', { cause: error })
    return undefined
  }
}

/** What a provider calls somebody, for a person to recognise it by; it need not be verified. */
export function readShownEmail({ email }: JWTPayload): string {
  return Email.safeParse(email).data ?? ''
}

/** Some providers send the flag as text. */
function readVerifiedEmail({ email, email_verified }: JWTPayload): string {
  const parsed = Email.safeParse(email)
  if (!parsed.success || (email_verified !== true && email_verified !== 'true'))
    throw new AppError('provider_email_unverified')
  return parsed.data
}

/** Empty when it is not fit for a name of ours; the person may fill it in. */
function readName(claim: unknown): string {
  return Name.safeParse(claim).data ?? ''
}
