import { setImmediate as giveWay } from 'node:timers/promises'
import type { Deps } from '../../../deps.ts'
import { recordEvents } from '../../../events/record-events.ts'
import { CLOCKS_DIFFER_MS } from '../../../is-over.ts'
import { certificateEvents } from '../events.ts'
import {
  findMark,
  insertMark,
  insertTold,
  listExpiring,
  moveMark,
  type Place,
  type ReminderMark,
  type Span,
} from './queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Mails put into the outbox by one transaction. */
const AT_ONCE = 200
/** So many times some, then everybody else's turn; the rest waits for the next time, seconds later. */
const MOST_TURNS = 50
/** While nothing expires a mark is moved on this seldom, so that an idle server hardly writes. */
const IDLE_MS = 60 * 60 * 1000

/** So many spans a mark remembers to have passed over: one for each time that no server ran for long, or a clock ran ahead. */
const MOST_SPANS = 100

/** Behind every proof that expires at that very time. */
const after = (reached: number): Place => ({ reached, reached_id: Number.MAX_SAFE_INTEGER })

/**
 * Reminds owners on each of the set days before their proofs expire. Each day-mark remembers in the database how far it has
 * come in the order of expiry, and moves on by a conditional update in the transaction that asks for the mails and notes
 * what it tells of: so each proof meets each mark once, whatever restarts, whatever the clock does and however many processes
 * there are. One that was given another expiry lies before the marks again. Whoever missed several marks, because no server
 * ran, is reminded of the last alone.
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
    await insertMark(deps.db, { days, ...after(nearest), passedOver: [[0, nearest]] })
    return true
  }
  if (mark.reached > until) {
    if (mark.reached > until + CLOCKS_DIFFER_MS) await moveMark(deps.db, mark, findWayBack(mark, until))
    return false
  }
  const isBehind = mark.reached < nearest
  const due = await listExpiring(deps.reads, days, isBehind ? after(nearest) : mark, until, AT_ONCE)
  const newest = due.at(-1)
  if (!newest && until - mark.reached < IDLE_MS) return false
  const isFull = newest !== undefined && due.length === AT_ONCE
  const to = isFull ? { reached: newest.expire_time, reached_id: newest.id } : after(until)
  const skipped: Span[] = isBehind ? [[mark.reached, nearest]] : []
  const passedOver = [...mark.passedOver, ...skipped].slice(-MOST_SPANS)
  await recordEvents(deps, async (transaction, emit) => {
    if (!(await moveMark(transaction, mark, { ...to, passedOver }))) return
    await emit(certificateEvents.expiry_near(await insertTold(transaction, days, due)))
  })
  return isFull
}

/** A clock ran ahead, maybe more than once. The mark begins again where it passed over what is still to be told. */
function findWayBack({ passedOver }: ReminderMark, until: number): Place & { passedOver: Span[] } {
  const ahead = passedOver.filter(([, end]) => end > until)
  const reached = Math.min(until, ...ahead.map(([start]) => start))
  return { reached, reached_id: 0, passedOver: passedOver.filter(([, end]) => end <= until) }
}
