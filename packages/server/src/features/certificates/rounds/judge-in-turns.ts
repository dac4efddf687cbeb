import { CertifyError } from '@proofdesk/certify/pool'
import type { Deps } from '../../../deps.ts'
import { explainStored } from '../judge-stored.ts'
import { listSealed } from '../queries.ts'
import { beginRound, deleteProblem, deleteRoundsBefore, findNewestRound, keepProblem, moveRound } from './queries.ts'
import { inTransaction } from '../../../db/in-transaction.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** From the beginning of one round to that of the next, at least. */
const ROUND_MS = 7 * DAY_MS
/** At one turn, a few seconds before the next: the parsing processes are there for approvals. */
const TURN_MS = 1000

/**
 * Judges the stored certified PDFs one after the other by the verifier that strangers have, all of them about once a week.
 * What is not what was approved is kept in `file_problems`, and told in the log, until it is right again. Of several
 * processes that judge the same file one is counted.
 */
export async function judgeInTurns(deps: Deps): Promise<void> {
  for (const end = performance.now() + TURN_MS; performance.now() < end;) if (!(await judgeNext(deps))) return
}

/** @returns whether there may be more. */
async function judgeNext(deps: Deps): Promise<boolean> {
  const round = await findNewestRound(deps.reads)
  if (!round || (round.ended_at !== null && deps.now() - round.began_at >= ROUND_MS)) {
    await beginRound(deps.db, deps.now())
    return true
  }
  if (round.ended_at !== null) return false
  const [proof] = await listSealed(deps.reads, round.reached_id, 1)
  if (!proof) {
    await moveRound(deps.db, round, { ended_at: deps.now() })
    return false
  }
  const told = await explainStored(deps, proof).catch((error: unknown) => {
    // That no process could be had says nothing about the file, which has its turn again in the next round.
    if (!(error instanceof CertifyError)) throw error
    deps.logger.fail('a stored file could not be judged', error, { proof: proof.id })
    return undefined
  })
  const isCounted = await inTransaction(deps.db, async (transaction) => {
    if (!(await moveRound(transaction, round, { reached_id: proof.id }))) return false
    await deleteRoundsBefore(transaction, round.began_at)
    if (told === undefined) await deleteProblem(transaction, proof.id)
    else await keepProblem(transaction, { proof_id: proof.id, found_at: deps.now(), told })
    return true
  })
  if (isCounted && told !== undefined)
    deps.logger.fail('a stored file is not what was approved: put it back from a backup', new Error(told), {
      proof: proof.id,
    })
  return true
}
