import { STATUS_OF, type ErrorBody, type ErrorCode } from '@proofdesk/contract/errors'
import { sayEnglish } from '@proofdesk/contract/messages'

interface AppErrorOptions extends ErrorOptions {
  /** Values for the places in the message. */
  values?: Record<string, string | number>
  /** Faulty fields with their English messages. */
  fields?: Record<string, string[]>
  /** Facts for programs beside code and detail. */
  facts?: Record<string, string>
  /** Said instead of the code's own words; for `invalid`, whose first field says more. */
  detail?: string
  /** Headers of the refusal itself; those that were set for a success are taken away. */
  headers?: Record<string, string>
  /** Seconds until it is worth trying again; sent as `Retry-After`. */
  retryAfterSeconds?: number
}

/** A failure the caller may read. Anything else thrown is a bug and is answered as `internal`. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly fields: Record<string, string[]>
  readonly facts: Record<string, string>
  readonly headers: Record<string, string>
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.detail ?? sayEnglish(code, options.values), options)
    this.code = code
    this.fields = options.fields ?? {}
    this.facts = options.facts ?? {}
    this.headers = options.headers ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return STATUS_OF[this.code]
  }

  toBody(): ErrorBody {
    return { ...this.fields, ...this.facts, code: this.code, detail: this.message }
  }
}

/** Ends a call that a rule stands against. */
export function refuse(why: ErrorCode | undefined): void {
  if (why) throw new AppError(why)
}

/** A refusal of one field or several: `detail` says the first message. */
export function refuseFields(fields: Record<string, string[]>): AppError {
  const first = Object.values(fields)[0]?.[0]
  return new AppError('invalid', first === undefined ? { fields } : { fields, detail: first })
}
