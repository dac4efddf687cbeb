import { toHex } from '@proofdesk/proof/bytes'
import {
  findStatusPage,
  makeStatusStatement,
  MAX_LATER_ENTRIES,
  PAGE_ENTRIES,
  writeStatusBits,
} from '@proofdesk/proof/log/status-page'
import { parseStatement } from '@proofdesk/proof/log/statements'
import type { Db } from '../../db/open.ts'
import { appendStatement, toEntry } from '../append-statement.ts'
import type { LogParts } from '../log.ts'
import { findHead, listEntries, listErasedWithdrawn } from '../queries.ts'
import type { LoggedEnds } from './logged-ends.ts'
import { findPage, listDuePages, listWithdrawn, replacePage, wantPageOnce } from './queries.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { isOver } from '../../is-over.ts'

type Parts = Pick<LogParts, 'db' | 'reads' | 'engine' | 'now'>

/** A page is made anew each day (UTC), though nothing was revoked: so that an old one is known to be old, and what ended is on it. */
const DAY_MS = 24 * 60 * 60 * 1000
/** Approvals that a page does not speak of yet wait at most that long. */
const HOUR_MS = 60 * 60 * 1000
/** Entries that may come while a page is made; witnesses sign it some entries later still. */
const MOST_OVERTAKING = MAX_LATER_ENTRIES / 2
/** Entries that are looked at for an approval; others come a few a day. */
const MOST_LOOKED_AT = 256

/**
 * Makes the pages anew that something was changed about, each with its entry in the log. Of several nodes at once the one
 * whose conditional update of the page's row wins has its entry there.
 * @returns whether any was due.
 */
export async function makeStatusPages({ db, reads, engine, now }: Parts, ends: LoggedEnds): Promise<boolean> {
  const due = await listDuePages(reads)
  if (due.length === 0) return false
  // The time before all else: what is committed while it reads may be missing, and the page must not speak for that moment.
  const madeAt = now()
  // The size first: whatever is in the log by then, what is read next tells.
  const { size } = await findHead(db)
  const ended = await ends.list(madeAt)
  for (const index of await listAllWithdrawn(reads)) ended.add(index)
  for (const { page, wanted, made } of due) {
    const bits = writeStatusBits(page, ended)
    const statement = makeStatusStatement({ page, size, time: Math.floor(madeAt / 1000), bits })
    const leaf_hash = toHex(toEntry(statement).leafHash)
    await inTransaction(db, async (transaction) => {
      // It is made again in a moment, when less has to be read.
      if (await isOvertaken(transaction, size)) return
      const next = { made: wanted, size, made_at: madeAt, bits, leaf_hash }
      if (await replacePage(transaction, { page, made }, next)) await appendStatement(engine, transaction, statement)
    })
  }
  return true
}

/** Whether so much came while a page was made that verifiers would not take what it has to bring along. */
async function isOvertaken(transaction: Db, size: number): Promise<boolean> {
  return (await findHead(transaction)).size - size > MOST_OVERTAKING
}

/** Asks for the pages that have become old, and for those that are missing; every hour. */
export async function wantOldPages({ db, reads, now }: Parts): Promise<void> {
  const { size } = await findHead(reads)
  for (let page = 0; page <= findStatusPage(Math.max(size - 1, 0)); page++) {
    const stored = await findPage(reads, page)
    const madeAt = stored?.made_at ?? 0
    const isOld = (waitMs: number) => isOver(madeAt, waitMs, now())
    const isOfEarlierDay = madeAt < now() - (now() % DAY_MS)
    if (
      (stored && (isOfEarlierDay || isOld(DAY_MS))) ||
      (isOld(HOUR_MS) && (await hasApproval(reads, page, stored?.size ?? 0)))
    )
      await wantPageOnce(db, page, stored?.made ?? 0)
  }
}

/** Among the next entries from there on, as far as they have a bit on the page: on one that is full nothing is missing. */
async function hasApproval(reads: LogParts['reads'], page: number, from: number): Promise<boolean> {
  const onPage = Math.max(0, (page + 1) * PAGE_ENTRIES - from)
  const entries = await listEntries(reads, from, Math.min(MOST_LOOKED_AT, onPage))
  return entries.some(({ entry }) => parseStatement(new TextEncoder().encode(entry)).kind === 'approve')
}

async function listAllWithdrawn(reads: LogParts['reads']): Promise<number[]> {
  const found: number[] = []
  for (let after = 0; ;) {
    const batch = await listWithdrawn(reads, after)
    found.push(...batch.map(({ leaf_index }) => leaf_index))
    const last = batch.at(-1)
    // Last: what is erased meanwhile is among those then.
    if (!last) return [...found, ...(await listErasedWithdrawn(reads))]
    after = last.id
  }
}
