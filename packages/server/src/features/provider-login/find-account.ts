import { Email, Name } from '@proofdesk/contract/fields'
import type { JWTPayload } from 'jose'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { findUserByEmail } from '../users/queries.ts'
import { createAccount } from '../users/service.ts'
import { deriveUsername } from './derive-username.ts'

/** Names may be taken, and somebody may make the same account at the same moment. */
const MOST_TRIES = 10

/**
 * Whose account it is, by the verified address alone. An address that nobody has becomes an ordinary account without a
 * password. An account whose address was never proved may have been made by anybody, so nobody joins it.
 * @param client Who asks, as the limits name it.
 * @throws AppError `provider_email_unverified`, `provider_account_unverified`, `rate_limited`
 */
export async function findOrMakeAccount(deps: Deps, client: string, claims: JWTPayload): Promise<number> {
  const email = readVerifiedEmail(claims)
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const known = await findUserByEmail(deps.reads, email)
    if (known && !known.is_email_verified) throw new AppError('provider_account_unverified')
    if (known) return known.id
    if (tries === 0) await deps.limits.attempt({ name: 'registration', key: client })
    const made = await tryMakeAccount(deps, email, claims, deriveUsername(email, tries))
    if (made !== undefined) return made
  }
  throw new Error('an account could be neither found nor made')
}

/** @returns undefined when the name or the address is taken by now. */
async function tryMakeAccount(
  deps: Deps,
  email: string,
  claims: JWTPayload,
  username: string,
): Promise<number | undefined> {
  try {
    const { id } = await createAccount(deps, {
      username,
      email,
      password: null,
      first_name: readName(claims['given_name']),
      last_name: readName(claims['family_name']),
      phone_number: '',
      birthdate: null,
      role: 'user',
      isEmailVerified: true,
    })
    return id
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return undefined
    throw error
  }
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
