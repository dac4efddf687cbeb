import type { AuditAction, AuditFact, AuditObjectKind } from '@proofdesk/contract/audit-actions'
import type { NotificationType } from '@proofdesk/contract/notifications'
import type { Change } from '../live/live.ts'
import type { Work } from '../outbox/outbox.ts'

/** What has consequences but stays out of the audit trail: nothing of anybody's changes by it. */
export const UNRECORDED_EVENTS = [
  'owner_warned',
  'verification_mail_asked',
  'reset_mail_asked',
  'join_mail_asked',
  'ticket_link_asked',
  'notifications_read',
  'thumbnail_settled',
  'document_settled',
  'document_begun_anew',
  'expiry_near',
] as const
type UnrecordedEvent = (typeof UNRECORDED_EVENTS)[number]

export type EventName = AuditAction | UnrecordedEvent

/** Small facts: numbers, flags and words of closed lists, never what somebody wrote. */
export type AuditDetails = Partial<Record<AuditFact, string | number | boolean>>

export interface AuditFacts {
  /** Who did it; null for strangers, the shell and the house itself. */
  actor: number | null
  object: { kind: AuditObjectKind; id: number | null }
  /** The collection it concerns. */
  collection?: number
  details?: AuditDetails
}

/** Everything that follows from an event. All but `tell` are written in its transaction, that is done after the commit. */
export interface Consequences {
  audit?: AuditFacts
  /** `file` is the name of the one it is about. */
  notify?: { user: number; type: NotificationType; path: string | null; title: string; file?: string }
  work?: readonly Work[]
  /** Views of this thing count anew from now on: what is seen from here is another state of it. */
  anew?: { action: AuditAction; object: number }
  /** By what a view of it is known for the same again, where its object is seen in several states; otherwise by the object. */
  seen?: number
  tell?: readonly Change[]
}

/** Something that happened, with what follows from it. */
export interface Event extends Consequences {
  name: EventName
}

/** Makes an event of what it needs to know. */
export type EventFunction = (...facts: never[]) => Event

/** Whatever the audit trail knows must be recorded in it, and nothing else can be. */
type EventTable = { [K in AuditAction]?: (...facts: never[]) => Consequences & { audit: AuditFacts } } & {
  [K in UnrecordedEvent]?: (...facts: never[]) => Consequences & { audit?: never }
}

type Closed<T> = { [K in keyof T]: K extends EventName ? T[K] : never }

type Events<T> = { [K in keyof T]: T[K] extends (...facts: infer F) => unknown ? (...facts: F) => Event : never }

/** What follows from each event of one feature: the only place where that is said. */
export function defineEvents<T extends EventTable>(table: T & Closed<T>): Events<T> {
  const entries = Object.entries(table as unknown as Record<string, (...facts: unknown[]) => Consequences>)
  return Object.fromEntries(
    entries.map(([name, follow]) => [name, (...facts: unknown[]) => ({ name, ...follow(...facts) })]),
  ) as Events<T>
}
