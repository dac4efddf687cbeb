import { setImmediate as giveWay } from 'node:timers/promises'
import type { Deps } from '../../../deps.ts'
import { recordEvents } from '../../../events/record-events.ts'
import { CLOCKS_DIFFER_MS } from '../../../is-over.ts'
import { certificateEvents } from '../events.ts'
import {
  findMark,
  findNewestProof,
  insertMark,
  listExpiring,
  moveMark,
  type Place,
  type ReminderMark,
} from './queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Mails put into the outbox by one transaction. */
const AT_ONCE = 200
/** So many times some, then everybody else's turn; the rest waits for the next time, seconds later. */
const MOST_TURNS = 50
/** While nothing expires a mark is moved on this seldom, so that an idle server hardly writes. */
const IDLE_MS = 60 * 60 * 1000

/** Behind every proof that expires at that very time. */
const after = (reached: number): Place => ({ reached, reached_id: Number.MAX_SAFE_INTEGER })

/**
 * Reminds owners on each of the set days before their proofs expire. Each day-mark remembers in the database how far it has
 * come in the order of expiry, and moves on by a conditional update in the transaction that asks for the mails: so each proof
 * meets each mark once, whatever restarts and however many processes there are. One that was given another expiry lies
 * before the marks again. Whoever missed several marks, because no server ran, is reminded of the last alone.
 */
export async function remindOwners(deps: Deps): Promise<void> {
  const marks = deps.config.reminderDays.toSorted((a, b) => b - a)
  for (const [at, days] of marks.entries())
    for (let turns = 0; turns < MOST_TURNS && (await remindSome(deps, days, marks[at + 1] ?? 0)); turns++)
      await giveWay()
}

/** @param nextDays The mark after it, whose proofs are no longer this one's. @returns whether there may be more */
async function remindSome(deps: Deps, days: number, nextDays: number): Promise<boolean> {
  const now = deps.now()
  const [nearest, until] = [now + nextDays * DAY_MS, now + days * DAY_MS]
  const mark = await findMark(deps.reads, days)
  if (!mark) {
    await insertMark(deps.db, { days, ...after(nearest), skipped_from: 0, skipped_until: nearest })
    return true
  }
  if (mark.reached > until) {
    if (mark.reached > until + CLOCKS_DIFFER_MS) await moveBack(deps, mark, until)
    return false
  }
  const from = mark.reached > nearest ? mark : after(nearest)
  const due = await listExpiring(deps.reads, from, mark, until, AT_ONCE)
  const newest = due.at(-1)
  if (!newest && until - mark.reached < IDLE_MS) return false
  const isFull = newest !== undefined && due.length === AT_ONCE
  const to = isFull ? { reached: newest.expire_time, reached_id: newest.id } : after(until)
  const skipped = mark.reached < nearest && { skipped_from: mark.reached, skipped_until: nearest }
  await recordEvents(deps, async (transaction, emit) => {
    if (await moveMark(transaction, mark, { ...to, ...skipped })) await emit(certificateEvents.expiry_near(due))
  })
  return isFull
}

/** Nothing was passed over. */
const NOTHING_SKIPPED = { skipped_from: 0, skipped_until: 0 }

/**
 * A clock ran ahead. What the mark passed over by it is still to be told; what was told by it is noted, so that nobody is
 * reminded twice. Where nothing was passed over, all of it was told, and the mark waits for the time.
 */
async function moveBack({ db, reads }: Deps, mark: ReminderMark, until: number): Promise<void> {
  const { skipped_from: from, skipped_until: told, ahead_from, ahead_until, reached } = mark
  // It comes from before this was written down.
  if (from === null || told === null) {
    await moveMark(db, mark, { ...after(until), ...NOTHING_SKIPPED })
    return
  }
  if (told <= until) return
  const isOneSpan = ahead_from !== null && ahead_until !== null && ahead_from <= reached && ahead_until >= told
  await moveMark(db, mark, {
    ...after(from),
    ...NOTHING_SKIPPED,
    ahead_from: isOneSpan ? Math.min(ahead_from, told) : told,
    ahead_until: isOneSpan ? Math.max(ahead_until, reached) : reached,
    ahead_id: await findNewestProof(reads),
  })
}
