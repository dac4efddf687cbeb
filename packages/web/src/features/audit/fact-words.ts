import type { AuditEntry } from '@proofdesk/contract/audit'
import type { AuditFact } from '@proofdesk/contract/audit-actions'
import type { SettableFlag } from '@proofdesk/contract/directory'
import type { Role } from '@proofdesk/contract/users'
import { isolate } from '../../lib/isolate.ts'
import { MAIL_PROBLEM_WORDS } from '../../lib/mail-problem-words.ts'
import { REVOCATION_WORDS } from '../../lib/revocation-words.ts'
import { m } from '../../paraglide/messages.js'

type Details = AuditEntry['details']
/** @returns undefined where it is said with another fact of the entry. */
type SayFact = (value: string, details: Details) => string | undefined

const WAYS: Record<string, () => string> = {
  password: m.audit_way_password,
  code: m.audit_way_code,
  provider: m.audit_way_provider,
  join: m.audit_way_join,
}

const ROLES: Record<Role, () => string> = {
  superuser: m.audit_role_superuser,
  admin: m.audit_role_admin,
  staff: m.audit_role_staff,
  user: m.audit_role_user,
}

const ORIGINS: Record<string, () => string> = {
  registration: m.audit_origin_registration,
  provider: m.audit_origin_provider,
  setup: m.audit_origin_setup,
  shell: m.audit_origin_shell,
}

const FLAGS: Record<SettableFlag, () => string> = {
  is_active: m.users_column_active,
  is_email_verified: m.users_column_verified,
  gfa_is_enabled: m.users_column_two_factor,
  is_admin: m.users_column_admin,
  is_staff: m.users_column_staff,
  is_superuser: m.dashboard_role_superuser,
}

const FACTS: Record<AuditFact, SayFact> = {
  submission: (number) => m.audit_fact_submission({ number }),
  named: (value) => (value === 'true' ? m.audit_fact_named() : m.audit_fact_unnamed()),
  decision: (id) => m.audit_fact_decision({ id }),
  change: (number) => m.audit_fact_change({ number }),
  reason: (value) => m.audit_fact_reason({ reason: sayKnown(REVOCATION_WORDS, value) }),
  way: (value) => sayKnown(WAYS, value),
  role: (value) => m.audit_fact_role({ role: sayKnown(ROLES, value) }),
  origin: (value) => sayKnown(ORIGINS, value),
  flag: (value, details) => {
    const flag = sayKnown(FLAGS, value)
    return details['value'] === true ? m.audit_fact_flag_on({ flag }) : m.audit_fact_flag_off({ flag })
  },
  value: () => undefined,
  problem: (value) => sayKnown(MAIL_PROBLEM_WORDS, value),
  provider: (name) => m.audit_fact_provider({ name: isolate(name) }),
  user: (id) => m.audit_fact_user({ id }),
  signature: (name) => m.audit_fact_signature({ name: isolate(name) }),
  format: (value) => m.audit_fact_format({ format: value.toUpperCase() }),
  settings: (names) => m.audit_fact_settings({ names: names.split(' ').join(', ') }),
  from: (from, { to }) => m.audit_fact_versions({ from, to: String(to) }),
  to: () => undefined,
  link: (link) => m.audit_fact_link({ link }),
  entries: (count) => m.audit_fact_entries({ count: Number(count) }),
}

/** What an entry tells beside who did what to what, each in a few words. What an older version stored stays as it is. */
export function sayFacts(details: Details): string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    if (!isFact(name)) return `${name}: ${String(value)}`
    return FACTS[name](String(value), details) ?? []
  })
}

function isFact(name: string): name is AuditFact {
  return Object.hasOwn(FACTS, name)
}

function sayKnown(words: Record<string, () => string>, value: string): string {
  return Object.hasOwn(words, value) ? (words[value]?.() ?? value) : value
}
