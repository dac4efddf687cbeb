import { fromHex } from '@proofdesk/proof/bytes'
import { formatStatusPage, MAX_LATER_ENTRIES } from '@proofdesk/proof/log/status-page'
import { listPeaks, proveInclusion } from '@proofdesk/proof/log/tiles'
import { remember } from '@proofdesk/proof/remember'
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
 * Gives a page as strangers read it: with the proof that it stands in the log, and all entries up to the head that it is shown
 * under; undefined where there is none, or where its entry is not under a signed head yet.
 */
export type ReadStatusPage = (number: number) => Promise<string | undefined>

/** Writing one takes up to 20 ms, and anybody may ask: it is done once for each head. */
export function openStatusPages(reads: Db, witnesses: Witnesses): ReadStatusPage {
  const find = remember<string>()
  return async (number) => {
    const shown = await chooseShown(reads, witnesses, number)
    // What the page says its entry names by hashes, and what came after it the head.
    return shown && find(`${shown.leafHash}\n${shown.head.note}`, () => writePage(reads, number, shown))
  }
}

/** A page, its place in the log, and the head that it is shown under. */
interface ShownPage {
  size: number
  madeAt: number
  bits: Uint8Array<ArrayBuffer>
  leafHash: string
  index: number
  head: WitnessedHead
}

async function chooseShown(reads: Db, witnesses: Witnesses, number: number): Promise<ShownPage | undefined> {
  // The head before the page: a page that is made meanwhile stands behind it, and so under a larger one than was ever shown with
  // the page before. Whoever saw that would else be told that something is kept back.
  const newest = await findNewestCheckpoint(reads)
  const stored = await findPage(reads, number)
  if (!stored?.bits || stored.leaf_hash === null || !newest) return undefined
  const index = await findLeafIndex(reads, fromHex(stored.leaf_hash))
  if (index === undefined) return undefined
  const { size, bits, leaf_hash: leafHash, made_at: madeAt } = stored
  const head = await chooseHead(reads, witnesses, { index, size, newest: newest.size })
  return head && { size, madeAt, bits, leafHash, index, head }
}

async function writePage(reads: Db, page: number, { size, madeAt, bits, index, head }: ShownPage): Promise<string> {
  const readTile = readTilesOf(reads)
  const entries = await listEntries(reads, size, head.size - size)
  const encoder = new TextEncoder()
  const status = {
    page,
    size,
    time: Math.floor(madeAt / 1000),
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
