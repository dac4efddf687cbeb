import type { AuditAction, AuditObjectKind } from '@proofdesk/contract/audit-actions'
import { m } from '../../paraglide/messages.js'

const ACTIONS: Record<AuditAction, () => string> = {
  signed_in: m.audit_did_signed_in,
  sign_in_failed: m.audit_did_sign_in_failed,
  code_failed: m.audit_did_code_failed,
  failures_unlisted: m.audit_did_failures_unlisted,
  signed_out: m.audit_did_signed_out,
  session_ended: m.audit_did_session_ended,
  sessions_ended: m.audit_did_sessions_ended,
  session_reused: m.audit_did_session_reused,
  identity_confirmed: m.audit_did_identity_confirmed,
  confirmation_failed: m.audit_did_confirmation_failed,
  account_created: m.audit_did_account_created,
  profile_changed: m.audit_did_profile_changed,
  email_changed: m.audit_did_email_changed,
  email_change_undone: m.audit_did_email_change_undone,
  email_verified: m.audit_did_email_verified,
  password_changed: m.audit_did_password_changed,
  password_reset: m.audit_did_password_reset,
  two_factor_on: m.audit_did_two_factor_on,
  two_factor_replaced: m.audit_did_two_factor_replaced,
  two_factor_off: m.audit_did_two_factor_off,
  recovery_codes_renewed: m.audit_did_recovery_codes_renewed,
  provider_linked: m.audit_did_provider_linked,
  provider_unlinked: m.audit_did_provider_unlinked,
  flag_set: m.audit_did_flag_set,
  person_viewed: m.audit_did_person_viewed,
  collection_created: m.audit_did_collection_created,
  collection_renamed: m.audit_did_collection_renamed,
  collection_sent: m.audit_did_collection_sent,
  collection_viewed: m.audit_did_collection_viewed,
  document_downloaded: m.audit_did_document_downloaded,
  collection_deleted: m.audit_did_collection_deleted,
  content_added: m.audit_did_content_added,
  content_renamed: m.audit_did_content_renamed,
  content_replaced: m.audit_did_content_replaced,
  contents_ordered: m.audit_did_contents_ordered,
  content_downloaded: m.audit_did_content_downloaded,
  content_deleted: m.audit_did_content_deleted,
  malware_found: m.audit_did_malware_found,
  comment_added: m.audit_did_comment_added,
  comment_deleted: m.audit_did_comment_deleted,
  approval_claimed: m.audit_did_approval_claimed,
  collection_approved: m.audit_did_collection_approved,
  collection_rejected: m.audit_did_collection_rejected,
  approval_withdrawn: m.audit_did_approval_withdrawn,
  certificate_downloaded: m.audit_did_certificate_downloaded,
  proof_revoked: m.audit_did_proof_revoked,
  proof_reinstated: m.audit_did_proof_reinstated,
  proof_expiry_changed: m.audit_did_proof_expiry_changed,
  ticket_opened: m.audit_did_ticket_opened,
  ticket_asked: m.audit_did_ticket_asked,
  ticket_answered: m.audit_did_ticket_answered,
  ticket_closed: m.audit_did_ticket_closed,
  ticket_reopened: m.audit_did_ticket_reopened,
  ticket_viewed: m.audit_did_ticket_viewed,
  mail_tested: m.audit_did_mail_tested,
  mails_hastened: m.audit_did_mails_hastened,
  audit_exported: m.audit_did_audit_exported,
  audit_emptied: m.audit_did_audit_emptied,
  settings_changed: m.audit_did_settings_changed,
}

const OBJECTS: Record<AuditObjectKind, () => string> = {
  user: m.audit_object_user,
  session: m.audit_object_session,
  collection: m.audit_object_collection,
  content: m.audit_object_content,
  comment: m.audit_object_comment,
  proof: m.audit_object_proof,
  ticket: m.audit_object_ticket,
  identity: m.audit_object_identity,
  installation: m.audit_object_installation,
}

export function sayAction(action: AuditAction): string {
  return ACTIONS[action]()
}

export function sayObject(kind: AuditObjectKind): string {
  return OBJECTS[kind]()
}
