import { verifyEmail } from '@proofdesk/contract/auth'
import { useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { call } from '../../lib/call.ts'
import { reloadUser, tellChange } from '../../lib/session-calls.ts'
import { readSession } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'

/** `verified`: of whom, where it is known: a link that was used before does not say it again. `refused`: the link is used up or too old. `failed`: nothing was decided, so it may be tried again. */
export type Verification =
  | { step: 'waiting' }
  | { step: 'verified'; username: string | undefined }
  | { step: 'refused'; reason: string }
  | { step: 'failed'; reason: string }

/** Uses the token up when the person asks for it, never by itself: programs that scan mails open links too. */
export function useVerification(token: string) {
  const [verification, setVerification] = useState<Verification>({ step: 'waiting' })
  const [busy, run] = useBusy()

  async function verify() {
    try {
      const { username } = await call(verifyEmail, { body: { token } })
      setVerification({ step: 'verified', username })
      tellChange()
      if (readSession().phase === 'signed-in') await reloadUser()
    } catch (error) {
      if (error instanceof ApiError && error.body.code === 'email_already_verified') {
        setVerification({ step: 'verified', username: undefined })
        return
      }
      const isRefused = error instanceof ApiError && error.status === 400
      setVerification({ step: isRefused ? 'refused' : 'failed', reason: wordsOf(error, m.verify_email_failed()) })
    }
  }

  return { verification, busy, verify: () => run(verify) }
}
