import type { TicketStatus } from '@proofdesk/contract/status'
import type { Flag } from './flag.ts'

// Counts of everyone's rows, kept by triggers (migration 0023). On SQLite a row a state; on PostgreSQL the rows of a
// state are added up, and none but the folding takes any away.

export interface CollectionCountRow {
  is_locked: Flag
  has_proofid: Flag
  /** The description is another than the default. */
  is_answered: Flag
  lapsed: Flag
  amount: number
}

export interface ProofCountRow {
  state: 'claimed' | 'published' | 'withdrawn'
  amount: number
}

export interface TicketCountRow {
  is_locked: Flag
  status: TicketStatus
  amount: number
}

export interface UserCountRow {
  is_admin: Flag
  is_staff: Flag
  amount: number
}
