import type { Generated } from 'kysely'
import type { Flag } from './flag.ts'

export interface TicketRow {
  id: Generated<number>
  title: string
  /** Case-folded title, for search and ordering. */
  title_key: string
  /** Null for a visitor's; then `email` and `email_key` are set. */
  owner_id: number | null
  email: string | null
  /** As `toEmailKey` has it. */
  email_key: string | null
  /** The browser a visitor opened it in; null once its cookie has run out. */
  visitor_id: number | null
  status: 'OPEN' | 'IN_PROGRESS' | 'ANSWERED'
  is_locked: Flag
  /** Who took it by answering first. */
  admin_id: number | null
  /** Counted along, so that one conditional update keeps the limit. */
  message_count: Generated<number>
  /** How many messages the visitor who asks has seen. */
  visitor_seen: Generated<number>
  created_at: number
}

/** How many messages of a ticket a person has seen. */
export interface TicketReadRow {
  ticket_id: number
  user_id: number
  seen: number
}

export interface TicketMessageRow {
  id: Generated<number>
  ticket_id: number
  /** Null for a visitor. */
  user_id: number | null
  is_admin: Flag
  text: string
  created_at: number
}

/** A browser of a visitor, known by its cookie, which is stored as SHA-256 (hex) only. */
export interface VisitorRow {
  id: Generated<number>
  hash: string
  expires_at: number
}

/** Addresses that a mailed link proved to be a visitor's. */
export interface VisitorAddressRow {
  visitor_id: number
  email_key: string
}

/** Tokens of mailed links to a visitor's tickets, stored as SHA-256 (hex). */
export interface TicketLinkRow {
  hash: string
  email: string
  email_key: string
  expires_at: number
}
