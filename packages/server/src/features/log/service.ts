import { findStatusPage } from '@proofdesk/proof/log/status-page'
import { formatEntryBundle, proveConsistency, type TileName } from '@proofdesk/proof/log/tiles'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { readTilesOf } from '../../log/append-statement.ts'
import { openStatusPages as openPages, type ReadStatusPage } from '../../log/status/prove-status-page.ts'
import { addCosignatures } from '../../log/witnesses/find-witnessed.ts'
import { findNewestBy } from '../../log/witnesses/queries.ts'
import {
  findHead,
  findNewestCheckpoint,
  findTile,
  listCheckpoints,
  listEntries,
  type Checkpoint,
} from '../../log/queries.ts'

type Bytes = Uint8Array<ArrayBuffer>

const HEADS_AT_ONCE = 100
/** c2sp.org/tlog-tiles */
const TILE_WIDTH = 256
/** Leaves that one hash of a level of tiles spans. */
const spanOf = (level: number): number => TILE_WIDTH ** level

/** @throws AppError `not_found` before the first head was signed. */
async function mustHaveHead({ reads }: Pick<Deps, 'reads'>): Promise<Checkpoint> {
  const head = await findNewestCheckpoint(reads)
  if (!head) throw new AppError('not_found')
  return head
}

/** The same with what witnesses signed. @throws AppError `not_found` as `mustHaveHead`. */
export async function readHead(deps: Pick<Deps, 'reads'>): Promise<Checkpoint> {
  const head = await mustHaveHead(deps)
  return (await addCosignatures(deps.reads, [head]))[0] ?? head
}

/** What each witness signed last, and what we are to others. */
export async function listWitnesses({ reads, log, witness }: Pick<Deps, 'reads' | 'log' | 'witness'>) {
  const witnesses = log.witnesses.all.map(async ({ id, name }) => {
    const newest = await findNewestBy(reads, id)
    return { name, note: newest ? newest.note + newest.line : null }
  })
  return { witnesses: await Promise.all(witnesses), own_key: witness?.verifierKey ?? null }
}

/**
 * Hashes of one tile.
 * @throws AppError `not_found` for what the newest signed head does not hold.
 */
export async function readTile(deps: Deps, { level, index, width }: TileName): Promise<Bytes> {
  const { size } = await mustHaveHead(deps)
  if ((index * TILE_WIDTH + width) * spanOf(level) > size) throw new AppError('not_found')
  const data = await findTile(deps.reads, level, index, width)
  if (!data) throw new AppError('not_found')
  return data
}

/** Entries of one bundle. @throws AppError `not_found` as `readTile`. */
export async function readBundle(deps: Deps, { index, width }: { index: number; width: number }): Promise<Bytes> {
  const { size } = await mustHaveHead(deps)
  const first = index * TILE_WIDTH
  if (first + width > size) throw new AppError('not_found')
  const entries = await listEntries(deps.reads, first, width)
  const encoder = new TextEncoder()
  return formatEntryBundle(entries.map(({ entry }) => encoder.encode(entry)))
}

/**
 * Gives pages of what is revoked; undefined where the log has such entries, and the page of them is still to be made. None from a
 * database that is older than what was signed: it would be taken for how things are.
 * @returns what throws AppError `log_behind`; `not_found` beyond the log.
 */
export function openStatusPages({ reads, log }: Pick<Deps, 'reads' | 'log'>): ReadStatusPage {
  const readPage = openPages(reads, log.witnesses)
  return async (page) => {
    log.mustBeWhole()
    const text = await readPage(page)
    if (text !== undefined) return text
    const { size } = await findHead(reads)
    if (page > findStatusPage(Math.max(size - 1, 0))) throw new AppError('not_found')
    return undefined
  }
}

/** Signed heads below a size, the newest first. */
export async function listHeads({ reads }: Deps, before = Number.MAX_SAFE_INTEGER) {
  const heads = await addCosignatures(reads, await listCheckpoints(reads, before, HEADS_AT_ONCE))
  return heads.map(({ size, note, signed_at }) => ({ size, signed_at: new Date(signed_at).toISOString(), note }))
}

/** @throws AppError `not_found` for sizes that no signed head reaches, or that do not grow. */
export async function proveGrowth(deps: Deps, oldSize: number, newSize: number) {
  const { size } = await mustHaveHead(deps)
  if (oldSize < 1 || oldSize > newSize || newSize > size) throw new AppError('not_found')
  const path = await proveConsistency(oldSize, newSize, readTilesOf(deps.reads))
  return { old: oldSize, new: newSize, path: path.map((hash) => Buffer.from(hash).toString('base64')) }
}
