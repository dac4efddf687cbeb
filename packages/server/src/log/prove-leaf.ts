import { parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { parseNote } from '@proofdesk/proof/log/note'
import { proveInclusion } from '@proofdesk/proof/log/tiles'
import type { Db } from '../db/open.ts'
import { readTilesOf } from './append-statement.ts'
import type { Log } from './log.ts'
import { findLeafIndex } from './queries.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Where a statement stands, and how that is checked. */
export interface LeafProof {
  index: number
  path: Bytes[]
  /** The signed head the path leads to. */
  checkpoint: string
}

/**
 * The place of a committed statement under a signed head.
 * @throws AppError `log_behind`; Error when the log does not have it.
 */
export async function proveLeaf({ db, log }: { db: Db; log: Log }, leafHash: Bytes): Promise<LeafProof> {
  const { note } = await log.sign()
  const index = await findLeafIndex(db, leafHash)
  if (index === undefined) throw new Error('log: a committed statement is not in it')
  const { size } = parseCheckpoint(parseNote(note).text)
  return { index, path: await proveInclusion(index, size, readTilesOf(db)), checkpoint: note }
}
