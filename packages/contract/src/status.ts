import { z } from 'zod'
import { DEFAULT_ADMIN_DESC } from './limits.ts'

export const CollectionStatus = z.enum(['opened', 'in_progress', 'answered', 'approved', 'expired'])
export type CollectionStatus = z.infer<typeof CollectionStatus>

/** What the status of a collection depends on. */
export interface StatusFacts {
  is_active: boolean
  is_locked: boolean
  proofid: string | null
  admin_desc: string
}

/** The icon rule of specification section 4; the order of the tests is part of the rule. */
export function collectionStatus(collection: StatusFacts): CollectionStatus {
  if (!collection.is_active) return 'expired'
  if (collection.proofid) return 'approved'
  if (collection.is_locked) return 'in_progress'
  return collection.admin_desc === DEFAULT_ADMIN_DESC ? 'opened' : 'answered'
}

/** Open: the owner may change it and its contents (specification section 6). */
export function isOpen(collection: Pick<StatusFacts, 'is_active' | 'is_locked' | 'proofid'>): boolean {
  return collection.is_active && !collection.is_locked && !collection.proofid
}

/** Waiting for a reviewer's decision. */
export function isReviewable(collection: Pick<StatusFacts, 'is_active' | 'is_locked' | 'proofid'>): boolean {
  return collection.is_active && collection.is_locked && !collection.proofid
}

/** The parameters of specification section 4 that a filter tile sends beside `status`. */
export function tileParameters(status: CollectionStatus): {
  is_active: 'true' | 'false'
  is_locked?: 'true' | 'false'
  has_proofid?: 'true' | 'false'
  exlude_admin_desc?: string
} {
  switch (status) {
    case 'opened':
      return { is_active: 'true', is_locked: 'false', has_proofid: 'false' }
    case 'in_progress':
      return { is_active: 'true', is_locked: 'true' }
    case 'answered':
      return { is_active: 'true', is_locked: 'false', exlude_admin_desc: DEFAULT_ADMIN_DESC }
    case 'approved':
      return { is_active: 'true', is_locked: 'true', has_proofid: 'true' }
    case 'expired':
      return { is_active: 'false' }
  }
}

export const TicketStatus = z.enum(['OPEN', 'IN_PROGRESS', 'ANSWERED'])
export type TicketStatus = z.infer<typeof TicketStatus>

/**
 * Where a ticket stands after one more message (decisions, Tickets): an answer makes it ANSWERED; the asker's next
 * message after that IN_PROGRESS; while nobody has answered it stays OPEN.
 */
export function ticketStatusAfter(status: TicketStatus, writer: 'asker' | 'admin'): TicketStatus {
  if (writer === 'admin') return 'ANSWERED'
  return status === 'ANSWERED' ? 'IN_PROGRESS' : status
}

/** What a ticket's icon shows: the lock where it is closed, else its status (specification section 2). */
export type TicketFace = TicketStatus | 'CLOSED'

export function ticketFace(ticket: { status: TicketStatus; is_locked: boolean }): TicketFace {
  return ticket.is_locked ? 'CLOSED' : ticket.status
}

/** The parameters that a filter tile of the ticket list sends. A closed ticket stands under Closed alone. */
export function ticketTileParameters(face: TicketFace): { status?: TicketStatus; is_locked: 'true' | 'false' } {
  return face === 'CLOSED' ? { is_locked: 'true' } : { status: face, is_locked: 'false' }
}
