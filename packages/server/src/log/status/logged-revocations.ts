import { parseStatement } from '@proofdesk/proof/log/statements'
import type { Db } from '../../db/open.ts'
import { findHead } from '../queries.ts'
import { shareTurns } from '../share-turns.ts'
import { listStatedBetween, listStatedWaiting } from './queries.ts'

/** Entries that one question goes over: milliseconds, however large the log is. */
const ENTRIES_AT_ONCE = 20_000

/** What the log says of approvals that were ever revoked. */
export interface LoggedRevocations {
  /** @returns the places of all approvals whose newest such statement, committed before it was asked, revokes them. */
  list(): Promise<Set<number>>
}

/**
 * Reads revocations from the log itself, which can only be added to: a column beside a proof can be emptied. What was read once
 * is not read again.
 */
export function openLoggedRevocations(reads: Db): LoggedRevocations {
  const placed = new Set<number>()
  let next = 0
  // One after the other: what one has read the other must not take for older.
  const list = shareTurns(async () => {
    // First those that wait for their place, then how large the log is: what got a place meanwhile is found there.
    const waiting = await listStatedWaiting(reads)
    const { size } = await findHead(reads)
    const found = new Set<string>()
    while (next < size) {
      const to = Math.min(size, next + ENTRIES_AT_ONCE)
      for (const { entry, leaf_hash } of await listStatedBetween(reads, next, to)) {
        applyStatement(placed, entry)
        found.add(leaf_hash)
      }
      next = to
    }
    const all = new Set(placed)
    for (const { entry, leaf_hash } of waiting) if (!found.has(leaf_hash)) applyStatement(all, entry)
    return all
  })
  return { list }
}

function applyStatement(revoked: Set<number>, entry: string): void {
  const statement = parseStatement(new TextEncoder().encode(entry))
  if (statement.kind === 'revoke') revoked.add(statement.ref)
  if (statement.kind === 'reinstate') revoked.delete(statement.ref)
}
