import { RESET_LINK_SECONDS } from '@proofdesk/contract/limits'
import { sayEnglish, splitEnglish } from '@proofdesk/contract/messages'
import type { Deps } from '../../deps.ts'
import { composeMail } from '../../mail/compose.ts'
import { HopelessWork, type SecurityEvent } from '../../outbox/outbox.ts'
import { hashToken, makeToken } from '../../tokens.ts'
import { deleteResetLinks, insertLinkToken } from '../auth/queries.ts'
import { findRecoveryAddress, findUserInfo, holdUser } from '../users/queries.ts'
import { deleteEmailChange, findEmailChange } from './queries.ts'

/**
 * Mails a link for a new password, only to the last verified address or a never-verified account's first; earlier links
 * stop working. The token is made here and never waits in the outbox.
 */
export async function sendResetMail(deps: Deps, userId: number): Promise<void> {
  const user = await findRecoveryAddress(deps.reads, userId)
  if (!user) return
  const token = makeToken()
  await deps.db.transaction().execute(async (transaction) => {
    await holdUser(transaction, userId)
    await deleteResetLinks(transaction, userId)
    await insertLinkToken(transaction, {
      hash: hashToken(token),
      kind: 'reset_password',
      user_id: userId,
      email: user.recoveryEmail,
      expires_at: deps.now() + RESET_LINK_SECONDS * 1000,
    })
  })
  const { organisation, publicUrl } = deps.config
  await deps.mailer.send({
    to: user.recoveryEmail,
    ...composeMail(deps.config, {
      subject: splitEnglish('mail_reset_subject', { organisation }),
      heading: sayEnglish('mail_reset_heading'),
      greetingName: user.username,
      paragraphs: [splitEnglish('mail_reset_text', { organisation, username: user.username })],
      action: { label: sayEnglish('mail_reset_action'), url: `${publicUrl}/reset-password/${token}` },
      closing: sayEnglish('mail_reset_closing'),
    }),
  })
}

/** Tells a person what was done to their account, where a reset would go. */
export async function sendSecurityMail(deps: Deps, userId: number, event: SecurityEvent): Promise<void> {
  const user = await findRecoveryAddress(deps.reads, userId)
  if (user) await tell(deps, user.recoveryEmail, user.username, event)
}

/** Tells the old address that the account has another one now. */
export async function sendEmailChangedMail(deps: Deps, emailChangeId: number): Promise<void> {
  const change = await findEmailChange(deps.reads, emailChangeId)
  if (!change) return
  const user = await findUserInfo(deps.reads, change.userId)
  try {
    if (user?.is_active) await tell(deps, change.oldEmail, user.username, 'email_changed')
  } catch (error) {
    // Kept only for another try.
    if (error instanceof HopelessWork) await deleteEmailChange(deps.db, emailChangeId)
    throw error
  }
  await deleteEmailChange(deps.db, emailChangeId)
}

async function tell(
  { config, mailer }: Deps,
  to: string,
  username: string,
  event: SecurityEvent | 'email_changed',
): Promise<void> {
  const names = { organisation: config.organisation, username }
  await mailer.send({
    to,
    ...composeMail(config, {
      subject: splitEnglish(`mail_${event}_subject`, names),
      heading: sayEnglish(`mail_${event}_heading`),
      greetingName: username,
      paragraphs: [splitEnglish(`mail_${event}_text`, names)],
      action: { label: sayEnglish('mail_security_action'), url: `${config.publicUrl}/login` },
      closing: sayEnglish(`mail_${event}_closing`),
    }),
  })
}
