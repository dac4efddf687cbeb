import type { ErrorCode } from '@proofdesk/contract/errors'
import { sayEnglish } from '@proofdesk/contract/messages'
import { AppError } from '../../errors.ts'
import { FORM_LIMITS } from './receive-upload.ts'

/** Statuses whose answers carry `file` whatever else was wrong (decisions, API). */
const WITH_FILE_MESSAGE = new Set([400, 413, 415, 507])

/** Failures of the multipart reader that the sender caused. */
const CODE_OF_READER: Record<string, ErrorCode> = {
  FST_MP_PREMATURE_CLOSE: 'upload_interrupted',
  ECONNRESET: 'upload_interrupted',
  ECONNABORTED: 'upload_interrupted',
  EPIPE: 'upload_interrupted',
  ABORT_ERR: 'upload_interrupted',
  ERR_STREAM_PREMATURE_CLOSE: 'upload_interrupted',
  FST_FILES_LIMIT: 'file_only_one',
  FST_PROTO_VIOLATION: 'invalid',
  FST_INVALID_JSON_FIELD_ERROR: 'invalid',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

/** Turns whatever ended an upload into an answer; what is nobody's fault but ours stays as it is. */
export function toRefusal(error: unknown): unknown {
  const refusal = error instanceof AppError ? error : toAppError(error)
  if (!refusal || !WITH_FILE_MESSAGE.has(refusal.status) || refusal.fields['file']) return refusal ?? error
  return new AppError(refusal.code, {
    cause: refusal.cause,
    detail: refusal.message,
    fields: { ...refusal.fields, file: [refusal.message] },
  })
}

function refuseCrowd(cause: Error): AppError {
  return new AppError('invalid', { cause, detail: sayEnglish('form_too_many_fields', { max: FORM_LIMITS.fields }) })
}

function toAppError(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT') return refuseCrowd(error)
  const known = CODE_OF_READER[code]
  if (known) return new AppError(known, { cause: error })
  if (/unexpected end of multipart data|terminated early/i.test(error.message))
    return new AppError('upload_interrupted', { cause: error })
  if (/^(multipart|malformed|unsupported content type)/i.test(error.message))
    return new AppError('invalid', { cause: error })
  // The disk, not the sender: full, read-only, broken.
  if (syscall === 'open' || syscall === 'write' || code === 'ENOSPC')
    return new AppError('storage_unavailable', { cause: error })
  return undefined
}
