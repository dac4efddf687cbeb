import { sayEnglish } from '@proofdesk/contract/messages'
import type { Role, UserInfo } from '@proofdesk/contract/users'
import type { Db } from '../../db/open.ts'
import { refuseFields } from '../../errors.ts'
import { enqueue } from '../../outbox/outbox.ts'
import type { Passwords } from '../../passwords.ts'
import { findTaken, insertUser } from './queries.ts'

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
}

interface AccountDeps {
  db: Db
  now: () => number
  passwords: Passwords
}

/**
 * Makes an account; unless its address is known to be theirs, a verification mail follows. Ring the outbox afterwards.
 * @param decide Runs in the same transaction before the row is made, and may throw to stop it.
 * @throws AppError `invalid` with `username` or `email` when somebody has it, also when two requests race.
 */
export async function createAccount(
  { db, now, passwords }: AccountDeps,
  account: NewAccount,
  decide: (transaction: Db) => Promise<void> = async () => {},
): Promise<UserInfo> {
  await refuseTaken(db, account)
  const passwordHash = account.password === null ? null : await passwords.hash(account.password)
  const user = await db.transaction().execute(async (transaction) => {
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
    if (made && !made.is_email_verified) await enqueue(transaction, now(), 'verification_mail', { user_id: made.id })
    return made
  })
  if (user) return user
  await refuseTaken(db, account)
  throw new Error('an account could be neither made nor found')
}

const DAY_MS = 24 * 60 * 60 * 1000

/** @throws AppError `invalid` for a day to come; tomorrow in UTC is already today somewhere. */
export function refuseFutureBirthdate(birthdate: string | null, now: number): void {
  if (birthdate !== null && Date.parse(birthdate) > now + DAY_MS)
    throw refuseFields({ birthdate: [sayEnglish('birthdate_invalid')] })
}

async function refuseTaken(db: Db, wanted: { username: string; email: string }): Promise<void> {
  const taken = await findTaken(db, wanted)
  const fields: Record<string, string[]> = {}
  if (taken.username) fields['username'] = [sayEnglish('username_taken')]
  if (taken.email) fields['email'] = [sayEnglish('email_taken')]
  if (taken.username || taken.email) throw refuseFields(fields)
}
