import { isOver } from '../../is-over.ts'
import { claimFact, findFact, replaceFact } from '../../db/instance.ts'
import type { LogParts } from '../log.ts'
import { findNewestCheckpoint } from '../queries.ts'
import { addCosignatures, isWitnessed } from './find-witnessed.ts'
import type { Witnesses } from './witnesses.ts'

/** When a head that lacks witnesses was last offered beside approvals, in milliseconds since 1970-01-01 UTC. */
const FACT = 'log_offered_at'
const EVERY_MS = 60_000

/** Whether the newest head lacks witnesses, and it is this node's turn to ask them: once a minute one node's. */
export async function isOfferDue(
  { db, now }: Pick<LogParts, 'db' | 'now'>,
  { policy, all }: Witnesses,
): Promise<boolean> {
  const newest = all.length > 0 ? await findNewestCheckpoint(db) : undefined
  if (!newest) return false
  const [head = newest] = await addCosignatures(db, [newest])
  if (await isWitnessed(head.note, policy)) return false
  const was = await findFact(db, FACT)
  const at = String(now())
  if (was === undefined) return claimFact(db, FACT, at)
  return isOver(Number(was), EVERY_MS, now()) && replaceFact(db, FACT, was, at)
}
