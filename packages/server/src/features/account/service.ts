import { sayEnglish } from '@proofdesk/contract/messages'
import type { Viewer } from '@proofdesk/contract/permissions'
import type { UserInfo } from '@proofdesk/contract/users'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { enqueue } from '../../outbox/outbox.ts'
import { deleteVerificationLinks } from '../auth/queries.ts'
import { findUserInfo } from '../users/queries.ts'

export async function showOwnInfo({ reads }: Deps, viewer: Viewer): Promise<UserInfo> {
  const info = await findUserInfo(reads, viewer.id)
  if (!info) throw new AppError('not_signed_in')
  return info
}

/** Mails a new verification link. @throws AppError `email_already_verified`, `rate_limited` */
export async function resendVerificationMail(deps: Deps, viewer: Viewer): Promise<{ detail: string }> {
  if (viewer.is_email_verified) throw new AppError('email_already_verified')
  await deps.limits.attempt({ name: 'verification_mail', key: viewer.id })
  await deps.db.transaction().execute(async (transaction) => {
    await deleteVerificationLinks(transaction, viewer.id)
    await enqueue(transaction, deps.now(), 'verification_mail', { user_id: viewer.id })
  })
  deps.outbox.ring()
  return { detail: sayEnglish('verification_mail_sent') }
}
