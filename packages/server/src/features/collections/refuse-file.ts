import type { RefusalReason } from '@proofdesk/certify/types'
import type { ErrorCode } from '@proofdesk/contract/errors'
import { COLLECTION_MAX_PAGES } from '@proofdesk/contract/limits'
import { AppError } from '../../errors.ts'

const CODE_OF_REASON: Record<RefusalReason, ErrorCode> = {
  empty: 'file_empty',
  unsupported_type: 'file_unsupported_type',
  header_not_at_start: 'file_header_not_at_start',
  truncated: 'file_truncated',
  checksum_wrong: 'file_checksum_wrong',
  password_protected: 'file_password_protected',
  unreadable: 'file_unreadable',
  ambiguous: 'file_ambiguous',
  no_pages: 'file_no_pages',
  too_many_pages: 'file_too_many_pages',
  image_too_large: 'file_image_too_large',
  decompression_bomb: 'file_decompression_bomb',
  too_slow: 'file_too_slow',
  too_much_memory: 'file_too_much_memory',
}

/** What is wrong with a file that was read to its end. */
export function refuseFile(reason: RefusalReason): AppError {
  return new AppError(CODE_OF_REASON[reason], { values: { max: COLLECTION_MAX_PAGES } })
}
