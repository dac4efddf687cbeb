import type { MailKind, MailRecordVerdict } from '@proofdesk/contract/mail-delivery'
import { m } from '../../paraglide/messages.js'

const KINDS: Record<MailKind, () => string> = {
  verification_mail: m.mail_kind_verification_mail,
  reset_mail: m.mail_kind_reset_mail,
  security_mail: m.mail_kind_security_mail,
  email_changed_mail: m.mail_kind_email_changed_mail,
  provider_join_mail: m.mail_kind_provider_join_mail,
  approval_mail: m.mail_kind_approval_mail,
  rejection_mail: m.mail_kind_rejection_mail,
  proof_change_mail: m.mail_kind_proof_change_mail,
  reminder_mail: m.mail_kind_reminder_mail,
  ticket_answer_mail: m.mail_kind_ticket_answer_mail,
  ticket_link_mail: m.mail_kind_ticket_link_mail,
}

const RECORDS: Record<MailRecordVerdict, () => string> = {
  fits: m.mail_dns_fits,
  asks_nothing: m.mail_dns_asks_nothing,
  missing: m.mail_dns_missing,
  several: m.mail_dns_several,
  malformed: m.mail_dns_malformed,
  says_nothing: m.mail_dns_says_nothing,
  allows_all: m.mail_dns_allows_all,
  too_many_lookups: m.mail_dns_too_many_lookups,
  not_signed: m.mail_dns_not_signed,
  other_domain: m.mail_dns_other_domain,
  other_key: m.mail_dns_other_key,
  withdrawn: m.mail_dns_withdrawn,
  test_only: m.mail_dns_test_only,
  no_domain: m.mail_dns_no_domain,
  silent: m.mail_dns_silent,
}

export function sayKind(kind: MailKind): string {
  return KINDS[kind]()
}

export function sayRecord(verdict: MailRecordVerdict): string {
  return RECORDS[verdict]()
}
