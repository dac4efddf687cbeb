import { VERIFICATION_LINK_SECONDS } from '@proofdesk/contract/limits'
import { sayEnglish, splitEnglish } from '@proofdesk/contract/messages'
import type { Deps } from '../../deps.ts'
import { composeMail } from '../../mail/compose.ts'
import { isWanted } from '../../outbox/outbox.ts'
import { hashToken, makeToken } from '../../secrets/tokens.ts'
import { findRecoveryAddress, findUserByEmail, findUserInfo, holdUser } from '../users/queries.ts'
import { verificationMail } from '../users/work.ts'
import { deleteVerificationLinks, insertLinkToken } from './queries.ts'
import { inTransaction } from '../../db/in-transaction.ts'

/**
 * Mails a link that proves the person's present address; earlier links stop working. The token is made here and never
 * waits in the outbox. Nothing is sent to who is verified or deactivated by now.
 */
export async function sendVerificationMail(deps: Deps, userId: number): Promise<void> {
  const token = makeToken()
  const user = await inTransaction(deps.db, async (transaction) => {
    await holdUser(transaction, userId)
    // A new password ends what an address was to be proved by, also where that is on its way.
    if (!(await isWanted(transaction, verificationMail({ user_id: userId })))) return undefined
    const person = await findUserInfo(transaction, userId)
    if (!person || !person.is_active || person.is_email_verified) return undefined
    // Somebody else has proved the address meanwhile: no link could, and they are not to be bothered.
    if ((await findUserByEmail(transaction, person.email))?.is_email_verified) return undefined
    await deleteVerificationLinks(transaction, userId)
    await insertLinkToken(transaction, {
      hash: hashToken(token),
      kind: 'verify_email',
      user_id: userId,
      email: person.email,
      expires_at: deps.now() + VERIFICATION_LINK_SECONDS * 1000,
    })
    return person
  })
  if (!user) return
  const { organisation, publicUrl } = deps.config
  const known = await findRecoveryAddress(deps.reads, userId)
  const reason = known && known.recoveryEmail !== user.email ? 'new_address' : 'verify'
  await deps.mailer.send({
    to: user.email,
    ...composeMail(deps.config, {
      subject: splitEnglish(`mail_${reason}_subject`, { organisation }),
      heading: sayEnglish(`mail_${reason}_heading`),
      greetingName: user.username,
      paragraphs: [splitEnglish(`mail_${reason}_text`, { organisation, username: user.username })],
      action: { label: sayEnglish('mail_verify_action'), url: `${publicUrl}/verify-email/${token}` },
      closing: sayEnglish(`mail_${reason}_closing`),
    }),
  })
}
