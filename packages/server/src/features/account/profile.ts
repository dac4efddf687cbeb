import type { Profile, updateProfile } from '@proofdesk/contract/account'
import { UNDO_EMAIL_SECONDS } from '@proofdesk/contract/limits'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { Db } from '../../db/open.ts'
import { againIfTaken, isUniqueViolation } from '../../db/unique-violation.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuseFields } from '../../errors.ts'
import { recordEvents, type Emit } from '../../events/record-events.ts'
import { deleteVerificationLinks } from '../auth/queries.ts'
import { deleteSessionsOfUser } from '../sessions/queries.ts'
import { demandRecentSignIn } from '../sessions/service.ts'
import { deleteChallenges } from '../two-factor/queries.ts'
import {
  findProfile,
  findRecoveryAddress,
  holdWithClaimants,
  isEmailHeld,
  replaceEmail,
  updateProfileFields,
  type ProfileChanges,
} from '../users/queries.ts'
import { refuseFutureBirthdate } from '../users/service.ts'
import { accountEvents } from './events.ts'
import { insertEmailChange } from './queries.ts'
import { attemptMail } from '../../http/mail-limits.ts'
import { VERIFICATION_MAIL, VERIFICATION_MAILS } from '../auth/limits.ts'

export async function showOwnProfile({ reads }: Pick<Deps, 'reads'>, viewer: Viewer): Promise<Profile> {
  return mustFindProfile(reads, viewer.id)
}

async function mustFindProfile(db: Db, id: number): Promise<Profile> {
  const profile = await findProfile(db, id)
  if (!profile) throw new AppError('not_signed_in')
  return profile
}

/**
 * Changes what is given; null empties a field. Another e-mail is unverified from then on, is sent a link, and the
 * address where a reset would go is told; all other sessions end.
 * @throws AppError `invalid` with `email` when somebody has it, also when two requests race; `confirm_identity` for
 *   another e-mail; `rate_limited` for too many changes of address, or too many mails to the new one.
 * @param caller `address`: of the client, for the limits.
 */
export async function changeProfile(
  deps: Deps,
  { viewer, sessionId, address }: { viewer: Viewer; sessionId: number; address: string },
  input: In<typeof updateProfile, 'body'>,
): Promise<Profile> {
  const now = deps.now()
  refuseFutureBirthdate(input.birthdate ?? null, now)
  const known = await mustFindProfile(deps.db, viewer.id)
  const { email: before } = known
  const newEmail = input.email !== undefined && input.email !== before ? input.email : undefined
  const byAccount = { limit: VERIFICATION_MAIL, key: viewer.id }
  const attempt =
    newEmail === undefined
      ? undefined
      : await attemptMail(deps.limits, VERIFICATION_MAILS, { email: newEmail, from: address }, byAccount)
  const changes = toChanges(input)
  const change = async (transaction: Db, emit: Emit) => {
    if (newEmail !== undefined) await holdWithClaimants(transaction, viewer.id, newEmail)
    await updateProfileFields(transaction, viewer.id, changes)
    if (newEmail !== undefined)
      await changeEmail(transaction, emit, now, { userId: viewer.id, sessionId, from: before, to: newEmail })
    if (isOther(changes, known)) await emit(accountEvents.profile_changed(viewer.id))
    return mustFindProfile(transaction, viewer.id)
  }
  try {
    // What another only claims at the same moment gives way.
    return await againIfTaken(() => recordEvents(deps, change))
  } catch (error) {
    // It tells that somebody has the address, so it counts: nobody finds out about many.
    if (isUniqueViolation(error)) throw refuseFields({ email: [sayEnglish('email_taken')] })
    await attempt?.forgive()
    throw error
  }
}

function toChanges({
  first_name,
  last_name,
  phone_number,
  birthdate,
}: In<typeof updateProfile, 'body'>): ProfileChanges {
  return {
    ...(first_name !== undefined && { first_name: first_name ?? '' }),
    ...(last_name !== undefined && { last_name: last_name ?? '' }),
    ...(phone_number !== undefined && { phone_number: phone_number ?? '' }),
    ...(birthdate !== undefined && { birthdate }),
  }
}

/** Whether anything becomes other than it is: the audit trail tells of nothing else. */
function isOther(changes: ProfileChanges, known: Profile): boolean {
  const names = ['first_name', 'last_name', 'phone_number'] as const
  const { birthdate } = changes
  return (
    names.some((name) => changes[name] !== undefined && changes[name] !== (known[name] ?? '')) ||
    (birthdate !== undefined && birthdate !== known.birthdate)
  )
}

async function changeEmail(
  transaction: Db,
  emit: Emit,
  now: number,
  { userId, sessionId, from, to }: { userId: number; sessionId: number; from: string; to: string },
): Promise<void> {
  const isReplaced = await replaceEmail(transaction, userId, from, to)
  // Another request of the same person was faster; what they typed here is not lost, they see both in the answer.
  if (!isReplaced) throw new AppError('profile_changed')
  await demandRecentSignIn(transaction, now, sessionId)
  if (await isEmailHeld(transaction, to, now, userId)) throw refuseFields({ email: [sayEnglish('email_taken')] })
  await deleteSessionsOfUser(transaction, userId, sessionId)
  await deleteChallenges(transaction, userId)
  await deleteVerificationLinks(transaction, userId)
  const user = await findRecoveryAddress(transaction, userId)
  if (!user || user.recoveryEmail === to) return emit(accountEvents.email_changed(userId, null))
  const undoUntil = user.isProved ? now + UNDO_EMAIL_SECONDS * 1000 : null
  const id = await insertEmailChange(transaction, { userId, oldEmail: user.recoveryEmail, now, undoUntil })
  await emit(accountEvents.email_changed(userId, id))
}
