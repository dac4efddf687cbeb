import { hash } from 'node:crypto'
import type { AuditEntryRecord } from '../db/audit-tables.ts'

/** What of an entry the chain holds: everything but its place in the chain. */
export type EntryFacts = Omit<AuditEntryRecord, 'link_id' | 'hash'>

/** The link before the first. */
export const FIRST_HASH = '0'.repeat(64)

/**
 * SHA-256 (hex) over the hash before and an entry: a line for each, the entry as a JSON list in this order. Others may
 * check an exported chain by it, so it never changes.
 */
export function hashEntry(previous: string, entry: EntryFacts): string {
  const { id, at, actor_id, action, object_kind, object_id, collection_id, details, network } = entry
  const facts = [id, at, actor_id, action, object_kind, object_id, collection_id, details, network]
  return sha256(`${previous}\n${JSON.stringify(facts)}\n`)
}

/** That of a link: over the hash of its last entry and when it was made. */
export function hashLink(last: string, madeAt: number): string {
  return sha256(`${last}\n${madeAt}\n`)
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
