import type { Flag } from './flag.ts'

/** How far the rounds over one kind of stored files have come: a row a kind. */
export interface StoredRoundRow {
  kind: 'original' | 'review_document' | 'certified'
  /** Of the round under way, or of the last one. */
  began_at: number
  /** Those up to this row were looked at. */
  reached_id: number
  is_under_way: Flag
  /** When the last whole round ended; null before the first. */
  ended_at: number | null
}

/** A stored file of a collection that was not as it was stored when it was looked at last. */
export interface SpoiledFileRow {
  key: string
  kind: Exclude<StoredRoundRow['kind'], 'certified'>
  collection_id: number
  found_at: number
  told: 'missing' | 'altered' | 'unreadable'
}
