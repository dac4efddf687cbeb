import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATUS_OF } from './errors.ts'
import { sayEnglish } from './messages.ts'

/** Every status but 400, and its codes. */
const CODES: Record<number, string> = {
  401: 'not_signed_in refresh_invalid',
  403:
    'forbidden confirm_identity email_not_verified email_taken own_collection own_account_active own_account_email own_account_two_factor own_account_superuser ' +
    'last_superuser two_factor_required ticket_not_allowed foreign_origin',
  404:
    'not_found page_not_found collection_not_found content_not_found thumbnail_not_found document_not_found comment_not_found ' +
    'reason_not_found notification_not_found user_not_found session_not_found ticket_not_found identity_not_found ' +
    'proof_not_found',
  405: 'method_not_allowed',
  409:
    'collection_already_sent collection_not_open collection_not_reviewable collection_changed document_failed contents_changed ' +
    'collection_not_deletable content_locked proof_changed proof_already_revoked proof_not_revoked proof_collection_deleted ticket_closed ticket_taken email_already_verified email_kept ' +
    'profile_changed two_factor_not_on provider_join_needed provider_account_taken provider_identity_taken last_way_in',
  410: 'proof_revoked proof_expired',
  412: 'file_not_matching',
  413: 'file_too_large file_too_large_to_scan body_too_large',
  415: 'file_unsupported_type unsupported_media_type',
  416: 'range_outside_file',
  422: 'idempotency_key_reused',
  429: 'rate_limited busy too_many_streams too_many_uploads',
  500: 'internal proof_altered file_altered file_missing',
  503: 'database_unavailable storage_unavailable provider_unavailable certifying_unavailable scanner_unavailable log_behind document_preparing read_timed_out',
  507: 'storage_full',
}

test('a code keeps its status, by which programs act: all that is not named here is a faulty request', () => {
  const statusOf = new Map(
    Object.entries(CODES).flatMap(([status, codes]) => codes.split(' ').map((code) => [code, Number(status)])),
  )
  const due = Object.fromEntries(Object.keys(STATUS_OF).map((code) => [code, statusOf.get(code) ?? 400]))
  assert.deepEqual({ ...STATUS_OF }, due)
})

test('who sent a token that ran out is not told that none was sent', () => {
  assert.match(sayEnglish('not_signed_in'), /not provided, or are no longer valid\.$/)
})
