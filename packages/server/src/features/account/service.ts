import { sayEnglish } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { UserInfo } from '@proofdesk/contract/users'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { withdraw } from '../../outbox/outbox.ts'
import { deleteResetLinks, deleteVerificationLinks } from '../auth/queries.ts'
import { deleteSessionsOfUser } from '../sessions/queries.ts'
import { deleteChallenges } from '../two-factor/queries.ts'
import { findUserByEmail, findUserInfo, hasUnprovedEmail } from '../users/queries.ts'
import { attemptMail } from '../../http/mail-limits.ts'
import { VERIFICATION_MAIL, VERIFICATION_MAILS } from '../auth/limits.ts'
import { verificationMail } from '../users/work.ts'
import { recordEvents } from '../../events/record-events.ts'
import { accountEvents } from './events.ts'

export async function showOwnInfo({ reads }: Deps, viewer: Viewer): Promise<UserInfo> {
  const info = await findUserInfo(reads, viewer.id)
  if (!info) throw new AppError('not_signed_in')
  return info
}

/**
 * Mails a new verification link.
 * @param address Of the client, for the limits.
 * @throws AppError `email_already_verified`; `email_taken` where another account has proved it since, so that no mail would
 *   go there; `rate_limited`
 */
export async function resendVerificationMail(deps: Deps, viewer: Viewer, address: string): Promise<{ detail: string }> {
  if (viewer.is_email_verified) throw new AppError('email_already_verified')
  const { email } = await showOwnInfo(deps, viewer)
  const byAccount = { limit: VERIFICATION_MAIL, key: viewer.id }
  await attemptMail(deps.limits, VERIFICATION_MAILS, { email, from: address }, byAccount)
  // It tells that somebody has the address, so it counts.
  if ((await findUserByEmail(deps.reads, email))?.is_email_verified) throw new AppError('email_taken')
  await recordEvents(deps, async (transaction, emit) => {
    await deleteVerificationLinks(transaction, viewer.id)
    await emit(accountEvents.verification_mail_asked(viewer.id))
  })
  return { detail: sayEnglish('verification_mail_sent') }
}

/**
 * After a new password nothing that was opened under the old one stays open: other sessions, sign-ins that wait for a
 * code, reset links. An address that was entered but never proved gets no chance to be proved by an older link either:
 * whoever had the old password could have put it there to take the account over by a reset.
 * Deactivating somebody closes the same doors.
 * @param keptSessionId Undefined: no session stays.
 */
export async function closeOtherDoors(transaction: Db, userId: number, keptSessionId?: number): Promise<void> {
  await deleteSessionsOfUser(transaction, userId, keptSessionId)
  await deleteChallenges(transaction, userId)
  await deleteResetLinks(transaction, userId)
  if (!(await hasUnprovedEmail(transaction, userId))) return
  await deleteVerificationLinks(transaction, userId)
  await withdraw(transaction, verificationMail({ user_id: userId }))
}
