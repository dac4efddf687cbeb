import type { ErrorCode } from '@proofdesk/contract/errors'
import { m } from '../paraglide/messages.js'
import { ApiError, NetworkError } from './api-error.ts'

/** Their words need values that only the server's wording carries, or it says more: what has changed. */
type WithValues = 'file_too_large' | 'file_too_many_pages' | 'collection_changed'

/** Answers to what only other programs ask for: the screens do not offer it. */
type NotAskedHere =
  | 'file_not_matching'
  | 'range_outside_file'
  | 'idempotency_key_reused'
  | 'method_not_allowed'
  | 'own_account_email'

// Named one by one: looking keys up in the whole catalogue would load all of it with every screen.
const WORDS: Record<Exclude<ErrorCode, WithValues | NotAskedHere>, () => string> = {
  invalid: m.invalid,
  page_below_one: m.page_below_one,
  wrong_credentials: m.wrong_credentials,
  token_invalid: m.token_invalid,
  link_invalid: m.link_invalid,
  setup_closed: m.setup_closed,
  two_factor_code_wrong: m.two_factor_code_wrong,
  two_factor_challenge_ended: m.two_factor_challenge_ended,
  two_factor_code_missing: m.two_factor_code_missing,
  two_factor_not_on: m.two_factor_not_on,
  two_factor_not_begun: m.two_factor_not_begun,
  otp_wrong: m.otp_wrong,
  provider_login_failed: m.provider_login_failed,
  provider_email_unverified: m.provider_email_unverified,
  provider_account_unverified: m.provider_account_unverified,
  provider_join_needed: m.provider_join_needed,
  provider_join_ended: m.provider_join_ended,
  provider_account_taken: m.provider_account_taken,
  provider_identity_taken: m.provider_identity_taken,
  provider_identity_unknown: m.provider_identity_unknown,
  identity_not_found: m.identity_not_found,
  last_way_in: m.last_way_in,
  confirm_identity: m.confirm_identity,
  password_wrong: m.password_wrong,
  old_password_wrong: m.old_password_wrong,
  profile_changed: m.profile_changed,
  title_required: m.title_required,
  default_description_hides_answer: m.default_description_hides_answer,
  expire_time_past: m.expire_time_past,
  collection_empty: m.collection_empty,
  file_required: m.file_required,
  file_only_one: m.file_only_one,
  file_empty: m.file_empty,
  file_truncated: m.file_truncated,
  file_checksum_wrong: m.file_checksum_wrong,
  file_password_protected: m.file_password_protected,
  file_unreadable: m.file_unreadable,
  file_ambiguous: m.file_ambiguous,
  collection_too_many_pictured: m.collection_too_many_pictured,
  file_no_pages: m.file_no_pages,
  file_image_too_large: m.file_image_too_large,
  file_decompression_bomb: m.file_decompression_bomb,
  file_too_slow: m.file_too_slow,
  file_too_much_memory: m.file_too_much_memory,
  file_name_invalid: m.file_name_invalid,
  file_header_not_at_start: m.file_header_not_at_start,
  file_infected: m.file_infected,
  file_too_large_to_scan: m.file_too_large_to_scan,
  upload_interrupted: m.upload_interrupted,
  collection_full: m.collection_full,
  collection_too_many_bytes: m.collection_too_many_bytes,
  collection_too_many_pages: m.collection_too_many_pages,
  own_space_full: m.own_space_full,
  collection_limit_reached: m.collection_limit_reached,
  comments_full: m.comments_full,
  conversation_full: m.conversation_full,
  proof_fields_missing: m.proof_fields_missing,
  authenticator_missing: m.authenticator_missing,
  not_signed_in: m.not_signed_in,
  refresh_invalid: m.refresh_invalid,
  forbidden: m.forbidden,
  email_not_verified: m.email_not_verified,
  own_collection: m.own_collection,
  own_account_active: m.own_account_active,
  own_account_two_factor: m.own_account_two_factor,
  own_account_superuser: m.own_account_superuser,
  last_superuser: m.last_superuser,
  two_factor_required: m.two_factor_required,
  ticket_not_allowed: m.ticket_not_allowed,
  foreign_origin: m.foreign_origin,
  not_found: m.not_found,
  page_not_found: m.page_not_found,
  collection_not_found: m.collection_not_found,
  content_not_found: m.content_not_found,
  thumbnail_not_found: m.thumbnail_not_found,
  document_not_found: m.document_not_found,
  comment_not_found: m.comment_not_found,
  reason_not_found: m.reason_not_found,
  notification_not_found: m.notification_not_found,
  user_not_found: m.user_not_found,
  session_not_found: m.session_not_found,
  ticket_not_found: m.ticket_not_found,
  proof_not_found: m.proof_not_found,
  collection_already_sent: m.collection_already_sent,
  collection_not_open: m.collection_not_open,
  collection_not_reviewable: m.collection_not_reviewable,
  document_failed: m.document_failed,
  contents_changed: m.contents_changed,
  collection_not_deletable: m.collection_not_deletable,
  content_locked: m.content_locked,
  proof_changed: m.proof_changed,
  proof_already_revoked: m.proof_already_revoked,
  proof_not_revoked: m.proof_not_revoked,
  proof_collection_deleted: m.proof_collection_deleted,
  ticket_closed: m.ticket_closed,
  ticket_taken: m.ticket_taken,
  email_already_verified: m.email_already_verified,
  email_kept: m.email_kept,
  email_taken: m.email_taken,
  proof_revoked: m.proof_revoked,
  proof_expired: m.proof_expired,
  body_too_large: m.body_too_large,
  file_unsupported_type: m.file_unsupported_type,
  unsupported_media_type: m.unsupported_media_type,
  rate_limited: m.rate_limited,
  busy: m.busy,
  too_many_streams: m.too_many_streams,
  too_many_uploads: m.too_many_uploads,
  internal: m.internal,
  proof_altered: m.proof_altered,
  file_altered: m.file_altered,
  file_missing: m.file_missing,
  database_unavailable: m.database_unavailable,
  storage_unavailable: m.storage_unavailable,
  provider_unavailable: m.provider_unavailable,
  certifying_unavailable: m.certifying_unavailable,
  scanner_unavailable: m.scanner_unavailable,
  log_behind: m.log_behind,
  document_preparing: m.document_preparing,
  read_timed_out: m.read_timed_out,
  storage_full: m.storage_full,
}

/** Our own words for an error code, unless they need values we do not have. */
export function sayCode(code: string): string | undefined {
  // Codes may come from an address: `constructor` is none.
  return Object.hasOwn(WORDS, code) ? (WORDS as Partial<Record<string, () => string>>)[code]?.() : undefined
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
  return addWait(error, own ?? error.body.detail)
}

/** The same for where nothing else says what has failed. @param failure With the name of what it is about. */
export function wordsOnTheirOwn(error: unknown, failure: string): string {
  const words = wordsOf(error, failure)
  return words.startsWith(failure) ? words : `${failure}\n${words}`
}

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
/** Up to here a wait is told in minutes. */
const WHOLE_HOURS_FROM_SECONDS = 2 * HOUR_SECONDS

/** The words for an error; after too many attempts, how long to wait stands in a sentence of its own. */
export function addWait(error: unknown, words: string): string {
  const wait = sayWait(error)
  return wait === undefined ? words : `${words} ${wait}`
}

/** After too many attempts, how long to wait; undefined for any other error, and where the server does not say. */
export function sayWait(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.body.code !== 'rate_limited') return undefined
  const seconds = error.retryAfterSeconds
  return seconds === undefined ? undefined : saySeconds(Math.max(1, seconds))
}

/** Rounded up: whoever comes at the time that was told is not refused again. */
function saySeconds(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return m.retry_in_seconds({ seconds })
  if (seconds <= WHOLE_HOURS_FROM_SECONDS) return m.retry_in_minutes({ minutes: Math.ceil(seconds / MINUTE_SECONDS) })
  return m.retry_in_hours({ hours: Math.ceil(seconds / HOUR_SECONDS) })
}
