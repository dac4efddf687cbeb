import type { ErrorBody } from '@proofdesk/contract/errors'

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
 * Whether the server has judged, and done nothing. Anything else leaves open what it did: no answer, a proxy's page, which
 * counts as `internal`, and a fault, which may come after the work.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.body.code !== 'internal'
}

/** The messages beside each faulty field, as the server worded them. */
export function fieldMessagesOf(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiError)) return {}
  const lists = Object.entries(error.body).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
  return Object.fromEntries(lists)
}
