import { resendVerification } from '@proofdesk/contract/account'
import { wordsOf } from '../../lib/error-words.ts'
import { call } from '../../lib/call.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'

/** Has a new verification mail sent to the signed-in person and says how it went. */
export async function resendVerificationMail(): Promise<void> {
  try {
    await call(resendVerification, { body: {} })
    showToast(m.verification_mail_sent())
  } catch (error) {
    showToast(wordsOf(error, m.verify_mail_failed()), 'error')
  }
}
