import { CertifyError, type CertifyErrorCode } from './errors.ts'
import type { RefusalReason } from './types.ts'

/** An error as plain data. */
export interface ErrorData {
  code: CertifyErrorCode
  message: string
  document?: number | undefined
  reason?: RefusalReason | undefined
}

/** An error on its way out of a process or thread. What is not ours becomes `fallback`, with its message as the cause. */
export function packError(error: unknown, fallback: CertifyErrorCode): ErrorData {
  if (error instanceof CertifyError) {
    return { code: error.code, message: describeError(error), document: error.document, reason: error.reason }
  }
  return { code: fallback, message: describeError(error) }
}

export function unpackError(data: ErrorData): CertifyError {
  return new CertifyError(data.code, data.message, { document: data.document, reason: data.reason })
}

/** Messages with those of their causes, for the log. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} (${describeError(error.cause)})`
}
