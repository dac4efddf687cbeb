import type { UserFlag } from '@proofdesk/contract/directory'
import { ApiError, NetworkError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import type { Right } from './rights.ts'

/** A change that was refused. */
export interface FlagProblem {
  /** In the words of specification section 8. */
  title: string
  reason?: string | undefined
}

export function explainFlagProblem(error: Error, field: UserFlag | Right): FlagProblem {
  const isForbidden = error instanceof ApiError && error.status === 403
  const title = isForbidden ? m.users_update_forbidden({ field }) : m.users_update_failed({ field })
  // That somebody lacks the permission is the title already.
  if (isForbidden && error.body.code === 'forbidden') return { title }
  const reason = error instanceof NetworkError ? m.server_silent_title() : wordsOf(error, title)
  return { title, reason: reason === title ? undefined : reason }
}
