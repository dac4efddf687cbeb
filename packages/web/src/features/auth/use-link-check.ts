import type { checkResetLink } from '@proofdesk/contract/account'
import type { checkSetupLink } from '@proofdesk/contract/auth'
import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { call } from '../../lib/call.ts'
import { m } from '../../paraglide/messages.js'

/**
 * Asks whether a link still works, while its form stands already. Nothing is used up.
 * @returns why not; undefined while it works or nothing is known: then the form says it when it is sent
 */
export function useLinkCheck(check: typeof checkResetLink | typeof checkSetupLink, token: string): string | undefined {
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    const ended = new AbortController()
    call(check, { body: { token } }, { signal: ended.signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 400) setRefusal(wordsOf(error, m.link_invalid()))
    })
    return () => ended.abort()
  }, [check, token])
  return refusal
}
