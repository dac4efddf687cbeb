import { isDayToCome } from '@proofdesk/contract/fields'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { Role, UserInfo } from '@proofdesk/contract/users'
import type { Db } from '../../db/open.ts'
import { refuseFields } from '../../errors.ts'
import type { Passwords } from '../../secrets/passwords.ts'
import { recordEvents, type Emit, type EventDeps } from '../../events/record-events.ts'
import { userEvents, type AccountOrigin } from './events.ts'
import { findTaken, insertUser, isEmailHeld } from './queries.ts'
import { isReservedUsername } from '../../text/username-skeleton.ts'

export interface NewAccount {
  username: string
  email: string
  /** Null: nobody can sign in with a password until a reset sets one. */
  password: string | null
  first_name: string
  last_name: string
  phone_number: string
  birthdate: string | null
  role: Role
  isEmailVerified: boolean
  origin: AccountOrigin
  /** Who asks for it, as `nameClient` has it: clients take turns at the password hash. */
  askedBy?: string
}

/** Several requests may claim the same address at the same moment. */
const MOST_TRIES = 5

interface AccountDeps extends EventDeps {
  passwords: Passwords
}

/**
 * Makes an account; unless its address is known to be theirs, a verification mail follows.
 * @param decide Runs in the same transaction before the row is made, and may throw to stop it.
 * @param complete The same after the row is made.
 * @throws AppError `invalid` with `username` or `email` when somebody has it or a name that looks like it, also when two
 *   requests race; with `username` when it claims to be the house and the account is an ordinary one.
 */
export async function createAccount(
  deps: AccountDeps,
  account: NewAccount,
  decide: (transaction: Db) => Promise<void> = async () => {},
  complete: (transaction: Db, userId: number, emit: Emit) => Promise<void> = async () => {},
): Promise<UserInfo> {
  const { db, now, passwords } = deps
  // Whoever is made staff or more by the house itself may be called so.
  if (account.role === 'user' && isReservedUsername(account.username))
    throw refuseFields({ username: [sayEnglish('username_reserved')] })
  await refuseFaulty(db, account, now())
  const passwordHash = account.password === null ? null : await passwords.hash(account.password, account.askedBy)
  const make = async (transaction: Db, emit: Emit) => {
    await decide(transaction)
    const made = await insertUser(transaction, {
      username: account.username,
      email: account.email,
      verified_email: account.isEmailVerified ? account.email : null,
      first_name: account.first_name,
      last_name: account.last_name,
      phone_number: account.phone_number,
      birthdate: account.birthdate,
      password_hash: passwordHash,
      is_active: 1,
      is_staff: account.role === 'staff' ? 1 : 0,
      is_admin: account.role === 'admin' ? 1 : 0,
      is_superuser: account.role === 'superuser' ? 1 : 0,
      is_email_verified: account.isEmailVerified ? 1 : 0,
      gfa_is_enabled: 0,
      joined_at: now(),
    })
    if (!made) throw new TakenMeanwhile()
    if (await isEmailHeld(transaction, made.email, now(), made.id))
      throw refuseFields({ email: [sayEnglish('email_taken')] })
    await emit(userEvents.account_created(made, { role: account.role, origin: account.origin }))
    await complete(transaction, made.id, emit)
    return made
  }
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      return await recordEvents(deps, make)
    } catch (error) {
      if (!(error instanceof TakenMeanwhile)) throw error
      // Where the address was only claimed at the same moment, the next try takes it.
      await refuseFaulty(db, account, now())
    }
  }
  throw new Error('an account could be neither made nor found')
}

/** Undoes what was decided for an account that was not made. */
class TakenMeanwhile extends Error {
  override readonly name = 'TakenMeanwhile'
}

/** @throws AppError `invalid` for a day to come. */
export function refuseFutureBirthdate(birthdate: string | null, now: number): void {
  if (isDayToCome(birthdate, now)) throw refuseFields({ birthdate: [sayEnglish('birthdate_invalid')] })
}

/** @throws AppError `invalid` with each field that somebody has, and with a birthdate to come: all are told at once. */
async function refuseFaulty(
  db: Db,
  wanted: Pick<NewAccount, 'username' | 'email' | 'birthdate'>,
  now: number,
): Promise<void> {
  const taken = await findTaken(db, wanted)
  const fields: Record<string, string[]> = {}
  if (taken.username) fields['username'] = [sayEnglish('username_taken')]
  else if (taken.lookAlike) fields['username'] = [sayEnglish('username_looks_like_another')]
  if (taken.email) fields['email'] = [sayEnglish('email_taken')]
  if (isDayToCome(wanted.birthdate, now)) fields['birthdate'] = [sayEnglish('birthdate_invalid')]
  if (Object.keys(fields).length > 0) throw refuseFields(fields)
}
