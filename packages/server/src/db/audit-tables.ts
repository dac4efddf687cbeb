import type { Generated, Selectable } from 'kysely'

/** What somebody did. The database lets nobody change or delete a row, but for what each column says. */
export interface AuditEntryRow {
  id: Generated<number>
  at: number
  /** Of a person; null for strangers, the shell and the house. Points at nobody by force: entries outlive all else. */
  actor_id: number | null
  action: string
  object_kind: string
  object_id: number | null
  /** The collection it concerns. */
  collection_id: number | null
  /** JSON object of small facts. */
  details: string
  /** Keyed hash of the client's network. */
  network: string | null
  /** The link of the chain it belongs to: set once, with `hash`. Entries of an emptied link may be deleted. */
  link_id: number | null
  /** SHA-256 (hex) over that of the entry before it in the chain and everything above. */
  hash: string | null
}

export type AuditEntryRecord = Selectable<AuditEntryRow>

/** A piece of the chain. Rows stay for ever. */
export interface AuditLinkRow {
  id: Generated<number>
  /** Hash of the link before; of several made at once after the same one, one is let in. */
  previous_hash: string
  /** SHA-256 (hex) over `previous_hash`, all its entries in turn, and `made_at`. */
  hash: string
  entries: number
  /** The latest time of an entry in it. */
  last_at: number
  made_at: number
  /** Over `hash`, by a key that is not in the database. */
  mac: string
  /** When its entries were deleted because they had grown old: set once, with its MAC. */
  emptied_at: number | null
  emptied_mac: string | null
}

/** When somebody's view of a thing was last recorded. */
export interface AuditViewRow {
  actor_id: number
  action: string
  object_id: number
  seen_at: number
}

/** What a reviewer wrote when they decided. It goes with its collection; the audit trail keeps its id. */
export interface DecisionRow {
  id: Generated<number>
  collection_id: number
  text: string
}
