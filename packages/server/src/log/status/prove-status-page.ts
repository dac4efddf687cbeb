import { fromHex } from '@proofdesk/proof/bytes'
import { formatStatusPage } from '@proofdesk/proof/log/status-page'
import { proveInclusion } from '@proofdesk/proof/log/tiles'
import type { Db } from '../../db/open.ts'
import { readTilesOf } from '../append-statement.ts'
import { findLeafIndex, findNewestCheckpoint } from '../queries.ts'
import { addCosignatures, findNewestWitnessed } from '../witnesses/find-witnessed.ts'
import type { Witnesses } from '../witnesses/witnesses.ts'
import { findPage } from './queries.ts'

/**
 * A page as strangers read it: with the proof that it stands in the log, under the newest head that witnesses signed, else under the
 * newest signed one.
 * @returns undefined where there is none, or where its entry is not under a signed head yet.
 */
export async function proveStatusPage(
  reads: Db,
  { policy, all }: Witnesses,
  number: number,
): Promise<string | undefined> {
  const stored = await findPage(reads, number)
  const newest = await findNewestCheckpoint(reads)
  if (!stored?.bits || stored.leaf_hash === null || !newest) return undefined
  const index = await findLeafIndex(reads, fromHex(stored.leaf_hash))
  if (index === undefined || index >= newest.size) return undefined
  const witnessed = all.length > 0 ? await findNewestWitnessed(reads, policy) : undefined
  const isUnderWitnessed = witnessed !== undefined && index < witnessed.size
  const head = isUnderWitnessed ? witnessed : ((await addCosignatures(reads, [newest]))[0] ?? newest)
  const status = { page: number, size: stored.size, time: Math.floor(stored.made_at / 1000), bits: stored.bits }
  const path = await proveInclusion(index, head.size, readTilesOf(reads))
  return formatStatusPage(status, { index, path, checkpoint: head.note })
}
