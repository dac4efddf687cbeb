import { fromHex } from '@proofdesk/proof/bytes'
import { formatStatusPage, MAX_LATER_ENTRIES } from '@proofdesk/proof/log/status-page'
import { listPeaks, proveInclusion } from '@proofdesk/proof/log/tiles'
import type { Db } from '../../db/open.ts'
import { readTilesOf } from '../append-statement.ts'
import {
  findLargestCheckpoint,
  findLeafIndex,
  findNewestCheckpoint,
  findSmallestCheckpoint,
  listEntries,
} from '../queries.ts'
import {
  addCosignatures,
  findNewestWitnessed,
  findWitnessedHead,
  type WitnessedHead,
} from '../witnesses/find-witnessed.ts'
import type { Witnesses } from '../witnesses/witnesses.ts'
import { findPage } from './queries.ts'

/** Entries that a page brings along where it may have fewer: they make an answer of some 75 kB. */
const MOST_ENTRIES = 256

/**
 * A page as strangers read it: with the proof that it stands in the log, and all entries up to the head that it is shown under.
 * @returns undefined where there is none, or where its entry is not under a signed head yet.
 */
export async function proveStatusPage(reads: Db, witnesses: Witnesses, number: number): Promise<string | undefined> {
  // The head before the page: a page that is made meanwhile stands behind it, and so under a larger one than was ever shown with
  // the page before. Whoever saw that would else be told that something is kept back.
  const newest = await findNewestCheckpoint(reads)
  const stored = await findPage(reads, number)
  if (!stored?.bits || stored.leaf_hash === null || !newest) return undefined
  const index = await findLeafIndex(reads, fromHex(stored.leaf_hash))
  if (index === undefined) return undefined
  const { size, bits } = stored
  const head = await chooseHead(reads, witnesses, { index, size, newest: newest.size })
  if (!head) return undefined
  const readTile = readTilesOf(reads)
  const entries = await listEntries(reads, size, head.size - size)
  const encoder = new TextEncoder()
  const status = {
    page: number,
    size,
    time: Math.floor(stored.made_at / 1000),
    bits,
    peaks: await listPeaks(size, readTile),
    later: entries.map(({ entry }) => encoder.encode(entry)),
  }
  const path = await proveInclusion(index, head.size, readTile)
  return formatStatusPage(status, { index, path, checkpoint: head.note })
}

/**
 * The newest head that witnesses signed and a page need not bring many entries for, else the first that they signed. It is never a
 * smaller one than was chosen before: so nobody is shown less than they were.
 */
async function chooseHead(
  reads: Db,
  { policy, all }: Witnesses,
  { index, size, newest }: { index: number; size: number; newest: number },
): Promise<WitnessedHead | undefined> {
  const near = { above: index, upTo: Math.min(newest, size + MOST_ENTRIES) }
  const far = { above: index, upTo: Math.min(newest, size + MAX_LATER_ENTRIES) }
  if (all.length === 0) return (await findLargestCheckpoint(reads, near)) ?? (await findSmallestCheckpoint(reads, far))
  const witnessed =
    (await findNewestWitnessed(reads, policy, near)) ?? (await findWitnessedHead(reads, policy, index, far.upTo))
  if (witnessed) return witnessed
  // The first, which is no larger than those that witnesses may sign yet.
  const first = await findSmallestCheckpoint(reads, far)
  return first && (await addCosignatures(reads, [first]))[0]
}
