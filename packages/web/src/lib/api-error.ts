import type { ErrorBody } from '@proofdesk/contract/errors'
import { m } from '../paraglide/messages.js'
import { sayCode } from './error-words.ts'

/** A refusal by the server. `body.code` is fit to switch on; for people use `wordsOf`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly body: ErrorBody
  /** As the server named it in `Retry-After`. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: ErrorBody, retryAfterSeconds?: number) {
    super(body.detail)
    this.retryAfterSeconds = retryAfterSeconds
    this.status = status
    this.body = body
  }
}

/** The server could not be reached, or the connection broke off. Nothing is known about what it did. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

/**
 * What to tell a person: our own words for a code we know, else the server's, else a default of specification section 8,
 * which stands alone: that the server does not answer is said in a second line.
 * @param fallback The screen's default.
 * @param unsaid The call's default, where it is another: for a refusal that says nothing, such as a proxy's page.
 */
export function wordsOf(error: unknown, fallback: string, unsaid = fallback): string {
  if (error instanceof NetworkError) return m.failed_without_answer({ failure: fallback })
  if (!(error instanceof ApiError)) return fallback
  if (!error.body.detail) return unsaid
  // `invalid` only says that fields are faulty; the server's detail names the first of them.
  const own = error.body.code === 'invalid' ? undefined : sayCode(error.body.code)
  return own ?? error.body.detail
}

/** The messages beside each faulty field, as the server worded them. */
export function fieldMessagesOf(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiError)) return {}
  const lists = Object.entries(error.body).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
  return Object.fromEntries(lists)
}
