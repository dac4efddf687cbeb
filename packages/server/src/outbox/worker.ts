import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db, Engine } from '../db/open.ts'
import { openPace, pauseFor } from '../db/pace.ts'
import { shareRuns } from '../db/share-runs.ts'
import { CLOCKS_DIFFER_MS } from '../is-over.ts'
import { nameFailure, type Logger } from '../logger.ts'
import { endAfter, type Tracing } from '../span.ts'
import { HopelessWork, type Handler, type OutboxBell } from './outbox.ts'
import {
  claimRows,
  deferRow,
  dropRows,
  extendHold,
  hastenRow,
  listDueKinds,
  listLaterRows,
  releaseHolds,
  shortenHolds,
  type ClaimedRow,
} from './queries.ts'

/** How often the table is looked at without a ring, for rows whose ring was lost or whose retry is due. */
const LOOK_EVERY_MS = 2000
/** A row whose process died is taken up by another after this long. */
const HOLD_MS = 20_000
/** How often a worker extends its hold while it lasts. */
const EXTENDS_PER_HOLD = 3
/** Of the looks, in how many one sees whether the clock was set back. */
const LOOKS_PER_CLOCK_CHECK = 30
/** Where rings come while others' rows are worked on, so far apart are rows of a kind taken up, and done ones dropped: several at once. */
const TOGETHER_EVERY_MS = 200
/** As often without any pause: most rings come alone, and somebody waits for what they announce. */
const RINGS_AT_ONCE = 10
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 60 * 60 * 1000

export interface OutboxWorker extends OutboxBell {
  /** Begins to work; until then rings are lost, which is fine: the first look finds every row. */
  start(handlers: readonly Handler[]): Promise<void>
  /** Waits until nothing is being worked on and no row is due. */
  settle(): Promise<void>
  /** Takes nothing new up and waits for what is under way. */
  close(): Promise<void>
}

interface WorkerDeps {
  db: Db
  engine: Engine
  now: () => number
  logger: Logger
  /** Undefined where nothing is traced. */
  tracing?: Tracing | undefined
  /** As `HOLD_MS`; tests of what takes longer shorten it. */
  holdMs?: number
}

interface Lane {
  handler: Handler
  running: Set<Promise<void>>
  /** Takes rows up; one at a time, so that no two want the same row. */
  taking: Promise<void> | undefined
  /** Rung, or the last look filled every free place: there may be more. */
  mayHaveMore: boolean
  /** More were due than there was room for: then rows are taken up whenever half of the places are free. */
  isFull: boolean
  pace: () => number
}

/** Works through the outbox, each kind in its own lane. Any number of processes may work on one table. */
export function makeOutboxWorker(deps: WorkerDeps): OutboxWorker {
  const { db, now, logger, tracing, holdMs = HOLD_MS } = deps
  const lanes = new Map<string, Lane>()
  // Whoever rings has no part in what their ring finds: neither their client nor their span is that of the work.
  const asNobody = AsyncLocalStorage.snapshot()
  let timer: NodeJS.Timeout | undefined
  let closing = false
  let looking: Promise<void> | undefined
  let lookAgain = false
  let looks = 0
  const paceDrops = openPace(TOGETHER_EVERY_MS, RINGS_AT_ONCE)
  const drop = shareRuns(
    (ids: number[]) => dropRows(db, ids),
    () => pauseFor(paceDrops()),
  )
  const dropping = new Set<Promise<void>>()

  function ring(kinds?: readonly string[]): void {
    if (closing || timer === undefined) return
    if (kinds === undefined) look()
    else for (const kind of kinds) wakeLane(kind)
  }

  function look(): void {
    if (closing || timer === undefined) return
    if (looking) {
      lookAgain = true
      return
    }
    looking = asNobody(wakeLanes).finally(() => {
      looking = undefined
      if (!lookAgain) return
      lookAgain = false
      look()
    })
  }

  async function wakeLanes(): Promise<void> {
    try {
      if (looks++ % LOOKS_PER_CLOCK_CHECK === 0) await hastenRows(db, now(), holdMs)
      for (const kind of await listDueKinds(db, now())) wakeLane(kind)
    } catch (error) {
      logger.fail('outbox: looking for work failed', error)
    }
  }

  function wakeLane(kind: string): void {
    const lane = lanes.get(kind)
    if (!lane) return
    lane.mayHaveMore = true
    fillLane(kind, lane)
  }

  /** Fills the free places of a lane, as long as there may be rows for them. */
  function fillLane(kind: string, lane: Lane): void {
    if (closing || lane.taking || !lane.mayHaveMore || countFree(lane) === 0) return
    lane.taking = asNobody(() => takeRows(kind, lane)).finally(() => {
      lane.taking = undefined
      fillLane(kind, lane)
    })
  }

  async function takeRows(kind: string, lane: Lane): Promise<void> {
    await waitForMore(lane)
    if (closing) return
    lane.mayHaveMore = false
    const most = countFree(lane)
    try {
      const rows = await claimRows(db, kind, now(), holdMs, most)
      lane.isFull = rows.length === most
      lane.mayHaveMore ||= lane.isFull
      for (const row of rows) {
        const run = workOn(lane.handler, row)
          .catch((error: unknown) => breakOff(error, kind))
          .finally(() => {
            lane.running.delete(run)
            fillLane(kind, lane)
          })
        lane.running.add(run)
      }
    } catch (error) {
      breakOff(error, kind)
    }
  }

  /** The database is away: the next look finds the row again once its hold has passed. */
  function breakOff(error: unknown, kind: string): void {
    logger.fail('outbox: a lane broke off', error, { kind })
  }

  /** The place in its lane is free meanwhile: its hold keeps others from a row that is done. */
  function dropLater(id: number, kind: string): void {
    const dropped = drop(id)
      .catch((error: unknown) => breakOff(error, kind))
      .finally(() => dropping.delete(dropped))
    dropping.add(dropped)
  }

  async function workOn({ of: { kind }, run }: Handler, row: ClaimedRow): Promise<void> {
    const hold = setInterval(() => {
      extendHold(db, row.id, now() + holdMs).catch(() => {})
    }, holdMs / EXTENDS_PER_HOLD)
    const span = tracing?.begin(
      `work ${kind}`,
      { 'work.kind': kind, 'work.attempts': row.attempts },
      { kind: 'work', traceparent: row.traceparent ?? undefined },
    )
    try {
      await endAfter(span, () => run(JSON.parse(row.payload), { failures: row.attempts, since: row.created_at }))
    } catch (error) {
      if (!(error instanceof HopelessWork)) {
        const delayMs = findDelay(row.attempts + 1)
        logger.warn('outbox: will try again', {
          kind,
          row: row.id,
          attempts: row.attempts + 1,
          reason: nameFailure(error),
        })
        logger.debug('outbox: reason', { kind, row: row.id, delay_ms: delayMs })
        await deferRow(db, row.id, now() + delayMs, { reason: nameFailure(error), words: readWords(error) })
        return
      }
      logger.fail('outbox: given up', error, { kind, row: row.id })
    } finally {
      clearInterval(hold)
    }
    dropLater(row.id, kind)
  }

  const listBusy = (): Promise<void>[] => [
    ...dropping,
    ...[...lanes.values()].flatMap(({ running, taking }) => [...running, ...(taking ? [taking] : [])]),
  ]

  return {
    ring,
    start: async (handlers) => {
      for (const handler of handlers) {
        const pace = openPace(TOGETHER_EVERY_MS, RINGS_AT_ONCE)
        const state = { running: new Set<Promise<void>>(), taking: undefined, mayHaveMore: false, isFull: false }
        lanes.set(handler.of.kind, { handler, ...state, pace })
      }
      // One process serves an SQLite file, so whoever held a row before this start is gone.
      if (deps.engine === 'sqlite') await releaseHolds(db)
      timer = setInterval(look, LOOK_EVERY_MS)
      look()
    },
    settle: async () => {
      for (;;) {
        await looking
        const busy = listBusy()
        await Promise.all(busy)
        if (busy.length > 0 || looking) continue
        const due = await listDueKinds(db, now())
        if (!due.some((kind) => lanes.has(kind))) return
        look()
      }
    },
    close: async () => {
      closing = true
      clearInterval(timer)
      await looking
      for (let busy = listBusy(); busy.length > 0; busy = listBusy()) await Promise.all(busy)
    },
  }
}

/** What is taken up together is one statement, and shares one signed head of the log. */
async function waitForMore(lane: Lane): Promise<void> {
  const { atOnce, isUnhurried } = lane.handler.of
  if (lane.isFull) {
    // Until half of the places are free; rows that take long hold up nobody for longer than this.
    const end = performance.now() + TOGETHER_EVERY_MS
    const over = pauseFor(TOGETHER_EVERY_MS)
    while (2 * countFree(lane) < atOnce && performance.now() < end) await Promise.race([...lane.running, over])
  } else if (isUnhurried || lane.running.size > 0) await pauseFor(lane.pace())
}

const countFree = ({ handler, running }: Lane): number => handler.of.atOnce - running.size

/** @param attempts Failed so far. */
function findDelay(attempts: number): number {
  return attempts === 0 ? 0 : Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20))
}

/** Rows that wait or are held for longer than any ever are were written before the clock was set back, or by one that ran ahead. */
async function hastenRows(db: Db, now: number, holdMs: number): Promise<void> {
  // a node whose clock is behind must not end holds of those who are at work
  await shortenHolds(db, now + holdMs + CLOCKS_DIFFER_MS)
  for (const { id, attempts, due_at } of await listLaterRows(db, now)) {
    const latest = now + findDelay(attempts)
    if (due_at > latest) await hastenRow(db, id, due_at, latest)
  }
}

/** A failure may carry words that its maker has made fit for people's eyes. */
function readWords(error: unknown): string | null {
  const words = error instanceof Error && 'words' in error ? error.words : null
  return typeof words === 'string' ? words : null
}
