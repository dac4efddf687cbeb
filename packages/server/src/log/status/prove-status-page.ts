import { fromHex } from '@proofdesk/proof/bytes'
import { formatStatusPage } from '@proofdesk/proof/log/status-page'
import { proveInclusion } from '@proofdesk/proof/log/tiles'
import type { Db } from '../../db/open.ts'
import { readTilesOf } from '../append-statement.ts'
import { findLeafIndex, findNewestCheckpoint } from '../queries.ts'
import { addCosignatures } from '../witnesses/find-witnessed.ts'
import { findPage } from './queries.ts'

/**
 * A page as strangers read it: with the proof that it stands in the log, under the newest signed head.
 * @returns undefined where there is none, or where its entry is not under a signed head yet.
 */
export async function proveStatusPage(reads: Db, number: number): Promise<string | undefined> {
  const stored = await findPage(reads, number)
  const newest = await findNewestCheckpoint(reads)
  if (!stored?.bits || stored.leaf_hash === null || !newest) return undefined
  const index = await findLeafIndex(reads, fromHex(stored.leaf_hash))
  if (index === undefined || index >= newest.size) return undefined
  const [head = newest] = await addCosignatures(reads, [newest])
  const status = { page: number, size: stored.size, time: Math.floor(stored.made_at / 1000), bits: stored.bits }
  const path = await proveInclusion(index, head.size, readTilesOf(reads))
  return formatStatusPage(status, { index, path, checkpoint: head.note })
}
