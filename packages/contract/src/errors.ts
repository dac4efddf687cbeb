import type { MessageKey } from './messages.ts'

/**
 * Every code an answer may carry, with its HTTP status. A code is also the key of its English words in
 * `messages/en.json`: the server sends the words as `detail`, the web shows its own for a key it knows.
 * Codes are stable; the wording may change.
 */
export const STATUS_OF = {
  invalid: 400,
  page_below_one: 400,
  wrong_credentials: 400,
  token_invalid: 400,
  link_invalid: 400,
  setup_closed: 400,
  two_factor_code_wrong: 400,
  two_factor_challenge_ended: 400,
  two_factor_not_begun: 400,
  otp_wrong: 400,
  provider_login_failed: 400,
  provider_email_unverified: 400,
  provider_account_unverified: 400,
  old_password_wrong: 400,
  title_required: 400,
  default_description_hides_answer: 400,
  expire_time_past: 400,
  collection_empty: 400,
  file_required: 400,
  file_only_one: 400,
  file_empty: 400,
  file_truncated: 400,
  file_password_protected: 400,
  file_unreadable: 400,
  file_no_pages: 400,
  file_too_many_pages: 400,
  file_image_too_large: 400,
  file_decompression_bomb: 400,
  file_too_slow: 400,
  file_too_much_memory: 400,
  file_name_invalid: 400,
  file_header_not_at_start: 400,
  upload_interrupted: 400,
  collection_full: 400,
  collection_too_many_bytes: 400,
  collection_too_many_pages: 400,
  comments_full: 400,
  conversation_full: 400,
  proof_fields_missing: 400,
  authenticator_missing: 400,
  not_signed_in: 401,
  refresh_invalid: 401,
  forbidden: 403,
  email_not_verified: 403,
  own_collection: 403,
  own_account_active: 403,
  ticket_not_allowed: 403,
  foreign_origin: 403,
  not_found: 404,
  page_not_found: 404,
  collection_not_found: 404,
  content_not_found: 404,
  thumbnail_not_found: 404,
  comment_not_found: 404,
  notification_not_found: 404,
  user_not_found: 404,
  ticket_not_found: 404,
  proof_not_found: 404,
  collection_already_sent: 409,
  collection_not_open: 409,
  collection_not_reviewable: 409,
  collection_changed: 409,
  collection_not_deletable: 409,
  content_locked: 409,
  ticket_closed: 409,
  ticket_taken: 409,
  email_already_verified: 409,
  profile_changed: 409,
  proof_expired: 410,
  file_too_large: 413,
  body_too_large: 413,
  file_unsupported_type: 415,
  unsupported_media_type: 415,
  rate_limited: 429,
  busy: 429,
  too_many_streams: 429,
  too_many_uploads: 429,
  internal: 500,
  storage_unavailable: 503,
  provider_unavailable: 503,
  certifying_unavailable: 503,
} as const satisfies Partial<Record<MessageKey, number>>

export type ErrorCode = keyof typeof STATUS_OF

/**
 * Body of every answer outside 2xx: `detail` for people, `code` for programs, and beside them a list of messages for
 * each faulty field.
 */
export interface ErrorBody {
  code: ErrorCode
  detail: string
  /** Only on `internal`: what to quote when asking the operator. */
  request_id?: string
  [field: string]: string | string[] | undefined
}
