import { parseStatement, SECONDS_PER_DAY, type Statement } from '@proofdesk/proof/log/statements'
import type { Db } from '../../db/open.ts'
import { findHead, listEntries } from '../queries.ts'
import { shareTurns } from '../share-turns.ts'
import { listStatedBetween, listStatedWaiting } from './queries.ts'

/** Entries that one question goes over: milliseconds, however large the log is. */
const ENTRIES_AT_ONCE = 20_000

/** What the log says of approvals that ended before their file says so. */
export interface LoggedEnds {
  /**
   * @param now Milliseconds since 1970-01-01 UTC.
   * @returns the places of all approvals that, by the newest statements about them that were committed before it was asked, are
   *   revoked, or whose expiry was moved to before the one that they were sealed with and has passed.
   */
  list(now: number): Promise<Set<number>>
}

/** By the places of approvals. */
interface Stated {
  revoked: Set<number>
  /** To which day their expiry was moved; undefined for never. */
  moved: Map<number, number | undefined>
}

/** The log up to some place, as it was read. */
interface ReadLog extends Stated {
  next: number
  /** The entry before `next`; undefined where nothing was read. */
  last: string | undefined
  /** The days on which approvals end by their own entries, as far as that was asked. */
  sealed: Map<number, number | undefined>
}

/**
 * Reads them from the log itself, which can only be added to: a column beside a proof can be emptied. What was read once is not
 * read again, unless another database has taken over that lacks the last of it.
 */
export function openLoggedEnds(reads: Db): LoggedEnds {
  let log = beginReading()

  async function findEntry(place: number): Promise<string | undefined> {
    return (await listEntries(reads, place, 1))[0]?.entry
  }

  async function findSealed(place: number): Promise<number | undefined> {
    const { sealed } = log
    if (!sealed.has(place)) {
      const entry = await findEntry(place)
      const statement = entry === undefined ? undefined : parseEntry(entry)
      sealed.set(place, statement?.kind === 'approve' ? statement.expiryDay : undefined)
    }
    return sealed.get(place)
  }

  // One after the other: what one has read the other must not take for older.
  const read = shareTurns(async (): Promise<Stated> => {
    // First those that wait for their place, then how large the log is: what got a place meanwhile is found there.
    const waiting = await listStatedWaiting(reads)
    const { size } = await findHead(reads)
    // Where entries are gone that no head was signed of, others stand in their places.
    if (log.next > 0 && (await findEntry(log.next - 1)) !== log.last) log = beginReading()
    const found = new Set<string>()
    while (log.next < size) {
      const to = Math.min(size, log.next + ENTRIES_AT_ONCE)
      for (const { entry, leaf_hash } of await listStatedBetween(reads, log.next, to)) {
        applyStatement(log, entry)
        found.add(leaf_hash)
      }
      log.last = await findEntry(to - 1)
      log.next = to
    }
    const all: Stated = { revoked: new Set(log.revoked), moved: new Map(log.moved) }
    for (const { entry, leaf_hash } of waiting) if (!found.has(leaf_hash)) applyStatement(all, entry)
    return all
  })

  async function list(now: number): Promise<Set<number>> {
    const { revoked, moved } = await read()
    const ended = new Set(revoked)
    for (const [place, day] of moved)
      if (day !== undefined && day * SECONDS_PER_DAY * 1000 <= now && day < ((await findSealed(place)) ?? Infinity))
        ended.add(place)
    return ended
  }
  return { list }
}

const beginReading = (): ReadLog => ({
  revoked: new Set(),
  moved: new Map(),
  next: 0,
  last: undefined,
  sealed: new Map(),
})

const parseEntry = (entry: string): Statement => parseStatement(new TextEncoder().encode(entry))

function applyStatement({ revoked, moved }: Stated, entry: string): void {
  const statement = parseEntry(entry)
  if (statement.kind === 'revoke') revoked.add(statement.ref)
  if (statement.kind === 'reinstate') revoked.delete(statement.ref)
  if (statement.kind === 'amend') moved.set(statement.ref, statement.expiryDay)
}
