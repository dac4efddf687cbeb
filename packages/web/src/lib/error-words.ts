import type { ErrorCode } from '@proofdesk/contract/errors'
import { m } from '../paraglide/messages.js'

/** Their words need values that only the server's wording carries. */
type WithValues = 'file_too_large' | 'file_too_many_pages'

// Named one by one: looking keys up in the whole catalogue would load all of it with every screen.
const WORDS: Record<Exclude<ErrorCode, WithValues>, () => string> = {
  invalid: m.invalid,
  page_below_one: m.page_below_one,
  wrong_credentials: m.wrong_credentials,
  token_invalid: m.token_invalid,
  link_invalid: m.link_invalid,
  setup_closed: m.setup_closed,
  title_required: m.title_required,
  default_description_hides_answer: m.default_description_hides_answer,
  expire_time_past: m.expire_time_past,
  collection_empty: m.collection_empty,
  file_required: m.file_required,
  file_only_one: m.file_only_one,
  file_empty: m.file_empty,
  file_truncated: m.file_truncated,
  file_password_protected: m.file_password_protected,
  file_unreadable: m.file_unreadable,
  file_no_pages: m.file_no_pages,
  file_image_too_large: m.file_image_too_large,
  file_decompression_bomb: m.file_decompression_bomb,
  file_too_slow: m.file_too_slow,
  file_too_much_memory: m.file_too_much_memory,
  file_name_invalid: m.file_name_invalid,
  file_header_not_at_start: m.file_header_not_at_start,
  upload_interrupted: m.upload_interrupted,
  collection_full: m.collection_full,
  collection_too_many_bytes: m.collection_too_many_bytes,
  collection_too_many_pages: m.collection_too_many_pages,
  comments_full: m.comments_full,
  proof_fields_missing: m.proof_fields_missing,
  not_signed_in: m.not_signed_in,
  refresh_invalid: m.refresh_invalid,
  forbidden: m.forbidden,
  email_not_verified: m.email_not_verified,
  own_collection: m.own_collection,
  not_found: m.not_found,
  page_not_found: m.page_not_found,
  collection_not_found: m.collection_not_found,
  content_not_found: m.content_not_found,
  comment_not_found: m.comment_not_found,
  notification_not_found: m.notification_not_found,
  proof_not_found: m.proof_not_found,
  collection_already_sent: m.collection_already_sent,
  collection_not_open: m.collection_not_open,
  collection_not_reviewable: m.collection_not_reviewable,
  collection_changed: m.collection_changed,
  collection_not_deletable: m.collection_not_deletable,
  content_locked: m.content_locked,
  email_already_verified: m.email_already_verified,
  proof_expired: m.proof_expired,
  body_too_large: m.body_too_large,
  file_unsupported_type: m.file_unsupported_type,
  unsupported_media_type: m.unsupported_media_type,
  rate_limited: m.rate_limited,
  busy: m.busy,
  too_many_streams: m.too_many_streams,
  internal: m.internal,
  storage_unavailable: m.storage_unavailable,
  certifying_unavailable: m.certifying_unavailable,
}

/** Our own words for an error code, unless they need values we do not have. */
export function sayCode(code: string): string | undefined {
  return (WORDS as Partial<Record<string, () => string>>)[code]?.()
}
