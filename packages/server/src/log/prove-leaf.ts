import { parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { parseNote } from '@proofdesk/proof/log/note'
import { proveInclusion, type ReadTile } from '@proofdesk/proof/log/tiles'
import type { Db } from '../db/open.ts'
import { readTilesOf } from './append-statement.ts'
import type { Log } from './log.ts'
import { findLeafIndex, type Checkpoint } from './queries.ts'
import { addCosignatures, findWitnessedHead } from './witnesses/find-witnessed.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Where a statement stands, and how that is checked. */
export interface LeafProof {
  index: number
  path: Bytes[]
  /** The signed head the path leads to. */
  checkpoint: string
}

/** Those who share a signed head read the same tiles, which no longer change in what it holds. */
const shared = new WeakMap<Checkpoint, ReadTile>()

function readTilesUnder(db: Db, signed: Checkpoint): ReadTile {
  const known = shared.get(signed)
  if (known) return known
  const readTile = rememberReads(readTilesOf(db))
  shared.set(signed, readTile)
  return readTile
}

function rememberReads(readTile: ReadTile): ReadTile {
  const reads = new Map<string, ReturnType<ReadTile>>()
  return (level, index, width) => {
    const name = `${level}/${index}/${width}`
    const known = reads.get(name)
    if (known) return known
    const read = readTile(level, index, width)
    reads.set(name, read)
    // What was away is asked for again.
    read.catch(() => reads.delete(name))
    return read
  }
}

/**
 * The place of a committed statement under a signed head: the first that witnesses have signed, else the newest.
 * @throws AppError `log_behind`; Error when the log does not have it.
 */
export async function proveLeaf({ db, log }: { db: Db; log: Log }, leafHash: Bytes): Promise<LeafProof> {
  const signed = await log.sign()
  const index = await findLeafIndex(db, leafHash)
  if (index === undefined) throw new Error('log: a committed statement is not in it')
  const { policy, all } = log.witnesses
  const findWitnessed = async () => (await findWitnessedHead(db, policy, index))?.note
  let note = all.length > 0 ? await findWitnessed() : signed.note
  if (note === undefined) {
    await log.gather()
    note = (await findWitnessed()) ?? (await addCosignatures(db, [signed]))[0]?.note ?? signed.note
  }
  const { size } = parseCheckpoint(parseNote(note).text)
  return { index, path: await proveInclusion(index, size, readTilesUnder(db, signed)), checkpoint: note }
}
