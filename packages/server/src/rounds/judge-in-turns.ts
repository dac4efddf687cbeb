import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import { findRound, insertFirstRound, moveRound, type RoundKind, type StoredRound } from './queries.ts'
import { inTransaction } from '../db/in-transaction.ts'
import { isOver } from '../is-over.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** From the beginning of one round to that of the next, at least. */
const ROUND_MS = 7 * DAY_MS
/** At one turn. With a turn every five seconds six million files have theirs within a week. */
const MOST_FILES = 50

/** Said of a file of which nothing could be found out now. What is known of it stays; the next round has its turn again. */
export const NOT_KNOWN = Symbol('not known')

/** Stored files of one kind, which are looked at one after the other. */
export interface Round<File extends { id: number }, Told extends string> {
  kind: RoundKind
  /** How long a turn may begin with another file: disk and parsing processes are there for people. */
  turnMs: number
  /** The first files whose rows stand behind that of an id, by id. */
  listAfter(db: Db, id: number, most: number): Promise<File[]>
  /**
   * @returns what is wrong with it; undefined when nothing is.
   * @throws where no file can be judged now: the round stays where it is until its next turn.
   */
  judge(file: File): Promise<Told | undefined | typeof NOT_KNOWN>
  /** Writes down what was found of those of which it is known, in the transaction that moves the round. */
  keep(transaction: Db, judged: readonly Judged<File, Told>[]): Promise<void>
  /** In the transaction that ends a round. */
  end?(transaction: Db): Promise<void>
  tell(file: File, told: Told): void
}

export interface Judged<File, Told extends string> {
  file: File
  told: Told | undefined
}

/**
 * Looks at the next files of a kind; with a turn every few seconds at all of them about once a week. Of several processes that
 * look at the same ones the findings of one are kept.
 */
export async function judgeInTurns<File extends { id: number }, Told extends string>(
  deps: Pick<Deps, 'db' | 'reads' | 'now'>,
  round: Round<File, Told>,
): Promise<void> {
  const at = await findRoundDue(deps, round.kind)
  if (!at) return
  const files = await round.listAfter(deps.reads, at.reached_id, MOST_FILES)
  if (files.length === 0) return endRound(deps, round, at)
  const judged: Judged<File, Told>[] = []
  let reachedId: number | undefined
  const end = performance.now() + round.turnMs
  try {
    for (const file of files) {
      const told = await round.judge(file)
      if (told !== NOT_KNOWN) judged.push({ file, told })
      reachedId = file.id
      if (performance.now() > end) break
    }
  } finally {
    if (reachedId !== undefined) await keepJudged(deps, round, at, { reachedId, judged })
  }
}

async function findRoundDue(
  { db, reads, now }: Pick<Deps, 'db' | 'reads' | 'now'>,
  kind: RoundKind,
): Promise<StoredRound | undefined> {
  const at = await findRound(reads, kind)
  if (at?.is_under_way === 1) return at
  if (!at) await insertFirstRound(db, kind, now())
  else if (isOver(at.began_at, ROUND_MS, now()))
    await moveRound(db, at, { began_at: now(), reached_id: 0, is_under_way: 1 })
  else return undefined
  return findRound(db, kind)
}

async function keepJudged<File extends { id: number }, Told extends string>(
  deps: Pick<Deps, 'db'>,
  round: Round<File, Told>,
  at: StoredRound,
  { reachedId, judged }: { reachedId: number; judged: readonly Judged<File, Told>[] },
): Promise<void> {
  const isCounted = await inTransaction(deps.db, async (transaction) => {
    if (!(await moveRound(transaction, at, { reached_id: reachedId }))) return false
    await round.keep(transaction, judged)
    return true
  })
  if (isCounted) for (const { file, told } of judged) if (told !== undefined) round.tell(file, told)
}

async function endRound(
  deps: Pick<Deps, 'db' | 'now'>,
  round: Pick<Round<{ id: number }, string>, 'end'>,
  at: StoredRound,
): Promise<void> {
  await inTransaction(deps.db, async (transaction) => {
    if (await moveRound(transaction, at, { is_under_way: 0, ended_at: deps.now() })) await round.end?.(transaction)
  })
}
