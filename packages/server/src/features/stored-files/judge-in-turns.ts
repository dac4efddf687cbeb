import type { Deps } from '../../deps.ts'
import { judgeFile } from './judge-file.ts'
import * as queries from './queries.ts'
import { inTransaction } from '../../db/in-transaction.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** From the beginning of one round to that of the next, at least. */
const ROUND_MS = 7 * DAY_MS
/** At one turn, a few seconds before the next: the disk is there for people. */
const TURN_MS = 500

/**
 * Reads the stored originals and review documents one after the other, all of them about once a week. What is not as it was stored
 * is kept in `spoiled_files`, and told in the log, until it is right again. Of several processes that read the same one is counted.
 */
export async function judgeInTurns(deps: Deps): Promise<void> {
  for (const kind of ['original', 'review_document'] as const)
    for (const end = performance.now() + TURN_MS; performance.now() < end;) if (!(await judgeNext(deps, kind))) break
}

/** @returns whether there may be more. */
async function judgeNext(deps: Deps, kind: queries.StoredKind): Promise<boolean> {
  const round = await queries.findRound(deps.reads, kind)
  if (!round) {
    await queries.insertFirstRound(deps.db, kind, deps.now())
    return true
  }
  if (round.is_under_way === 0) {
    if (deps.now() - round.began_at < ROUND_MS) return false
    return queries.moveRound(deps.db, round, { began_at: deps.now(), reached_id: 0, is_under_way: 1 })
  }
  const file = await queries.findKeptAfter(deps.reads, kind, round.reached_id)
  if (!file) {
    await endRound(deps, round)
    return false
  }
  const told = await judgeFile(deps.blobs, file)
  const isCounted = await inTransaction(deps.db, async (transaction) => {
    if (!(await queries.moveRound(transaction, round, { reached_id: file.id }))) return false
    if (told === undefined) await queries.deleteSpoiled(transaction, file.key)
    // What was deleted with its row meanwhile is not missing.
    else if (await queries.isKept(transaction, kind, file))
      await queries.keepSpoiled(transaction, {
        key: file.key,
        kind,
        collection_id: file.collection_id,
        found_at: deps.now(),
        told,
      })
    return true
  })
  if (isCounted && told !== undefined) tellLog(deps, file, told)
  return true
}

/** What no row points at any more is nobody's sorrow. */
async function endRound(deps: Deps, round: queries.StoredRound): Promise<void> {
  await inTransaction(deps.db, async (transaction) => {
    if (!(await queries.moveRound(transaction, round, { is_under_way: 0, ended_at: deps.now() }))) return
    await queries.deleteUnkept(transaction, round.kind)
  })
}

export function tellLog({ logger }: Pick<Deps, 'logger'>, file: { collection_id: number }, told: string): void {
  logger.fail('a stored file is not as it was stored: put it back from a backup', new Error(told), {
    collection: file.collection_id,
  })
}
