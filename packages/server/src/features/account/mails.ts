import { RESET_LINK_SECONDS, UNDO_EMAIL_SECONDS } from '@proofdesk/contract/limits'
import { sayEnglish, splitEnglish } from '@proofdesk/contract/messages'
import type { Deps } from '../../deps.ts'
import { composeMail } from '../../mail/compose.ts'
import { HopelessWork } from '../../outbox/outbox.ts'
import { hashToken, makeToken } from '../../secrets/tokens.ts'
import { deleteResetLinks, insertLinkToken } from '../auth/queries.ts'
import { findRecoveryAddress, findUserInfo, holdUser } from '../users/queries.ts'
import type { SecurityEvent, TakenBack } from '../users/work.ts'
import { deleteEmailChange, findEmailChange, keepUndoLink } from './queries.ts'
import { inTransaction } from '../../db/in-transaction.ts'

/**
 * Mails a link for a new password, only to the last verified address or a never-verified account's first; earlier links
 * stop working. The token is made here and never waits in the outbox.
 */
export async function sendResetMail(deps: Deps, userId: number): Promise<void> {
  const token = makeToken()
  const user = await inTransaction(deps.db, async (transaction) => {
    await holdUser(transaction, userId)
    // Looked up while they are held: whoever takes a change of address back ends the links to the other one.
    const addressee = await findRecoveryAddress(transaction, userId)
    if (!addressee) return undefined
    await deleteResetLinks(transaction, userId)
    await insertLinkToken(transaction, {
      hash: hashToken(token),
      kind: 'reset_password',
      user_id: userId,
      email: addressee.recoveryEmail,
      expires_at: deps.now() + RESET_LINK_SECONDS * 1000,
    })
    return addressee
  })
  if (!user) return
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
export async function sendSecurityMail(
  deps: Deps,
  userId: number,
  event: SecurityEvent,
  takenBack: readonly TakenBack[] = [],
): Promise<void> {
  const user = await findRecoveryAddress(deps.reads, userId)
  const more = takenBack.map((what) => sayEnglish(`mail_taken_back_${what}`))
  if (user) await tell(deps, user.recoveryEmail, user.username, event, { more })
}

/**
 * Tells the old address that the account has another one now, with a link that takes this back where the old one was
 * proved to be theirs; also while they are deactivated, for whoever took the account over may be why. The token is made
 * here and never waits in the outbox.
 */
export async function sendEmailChangedMail(deps: Deps, emailChangeId: number): Promise<void> {
  const change = await findEmailChange(deps.reads, emailChangeId)
  if (!change) return
  const user = await findUserInfo(deps.reads, change.userId)
  try {
    if (user) await tellOldAddress(deps, emailChangeId, change, user.username)
  } catch (error) {
    // Kept only for another try.
    if (error instanceof HopelessWork) await deleteEmailChange(deps.db, emailChangeId)
    throw error
  }
  if (!user || !change.canUndo) await deleteEmailChange(deps.db, emailChangeId)
}

async function tellOldAddress(
  deps: Deps,
  emailChangeId: number,
  { oldEmail, canUndo }: { oldEmail: string; canUndo: boolean },
  username: string,
): Promise<void> {
  if (!canUndo) return tell(deps, oldEmail, username, 'email_changed', {})
  const token = makeToken()
  const until = deps.now() + UNDO_EMAIL_SECONDS * 1000
  if (!(await keepUndoLink(deps.db, emailChangeId, hashToken(token), until))) return
  await tell(deps, oldEmail, username, 'email_changed', {
    end: {
      action: { label: sayEnglish('mail_email_undo_action'), url: `${deps.config.publicUrl}/undo-email/${token}` },
      closing: sayEnglish('mail_email_undo_closing'),
    },
  })
}

async function tell(
  { config, mailer }: Deps,
  to: string,
  username: string,
  event: SecurityEvent | 'email_changed',
  { more = [], end }: { more?: string[]; end?: { action: { label: string; url: string }; closing: string } },
): Promise<void> {
  const names = { organisation: config.organisation, username }
  const usualEnd = {
    action: { label: sayEnglish('mail_security_action'), url: `${config.publicUrl}/login` },
    closing: sayEnglish(`mail_${event}_closing`),
  }
  await mailer.send({
    to,
    ...composeMail(config, {
      subject: splitEnglish(`mail_${event}_subject`, names),
      heading: sayEnglish(`mail_${event}_heading`),
      greetingName: username,
      paragraphs: [splitEnglish(`mail_${event}_text`, names), ...more],
      ...(end ?? usualEnd),
    }),
  })
}
