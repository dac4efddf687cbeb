import { fromHex, toHex } from '@proofdesk/proof/bytes'
import type { Selectable } from 'kysely'
import type { LogCheckpointRow, LogCommitmentRow } from '../db/log-tables.ts'
import type { Db, Engine } from '../db/open.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A tree: so many leaves, and their root. */
export interface Head {
  size: number
  root: Bytes
}

/** A statement and its leaf. */
export interface LogEntry {
  /** Canonical JSON. */
  entry: string
  leafHash: Bytes
}

export type Checkpoint = Selectable<LogCheckpointRow>

/** Statements that are given their place at once. */
export const MOST_WAITING = 256

export async function findHead(db: Db): Promise<Head> {
  return toHead(await db.selectFrom('log_state').select(['size', 'root']).executeTakeFirstOrThrow())
}

/** On PostgreSQL nobody else adds to the tree until the transaction ends; on SQLite there is one writer anyway. */
export async function lockHead(transaction: Db, engine: Engine): Promise<Head> {
  const state = transaction.selectFrom('log_state').select(['size', 'root'])
  return toHead(await (engine === 'postgres' ? state.forUpdate() : state).executeTakeFirstOrThrow())
}

/** @returns false when the tree is not the one it was taken for. */
export async function moveHead(transaction: Db, was: Head, now: Head): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('log_state')
    .set({ size: now.size, root: toHex(now.root) })
    .where('id', '=', 1)
    .where('size', '=', was.size)
    .where('root', '=', toHex(was.root))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * The tree as it may be signed. Written down first: once this is answered, what it holds is on the disk, and a power cut
 * takes nothing of it back.
 */
export async function askHead(db: Db): Promise<Head> {
  return toHead(
    await db
      .updateTable('log_state')
      .set(({ ref }) => ({ asked_size: ref('size') }))
      .where('id', '=', 1)
      .returning(['size', 'root'])
      .executeTakeFirstOrThrow(),
  )
}

const toHead = ({ size, root }: { size: number; root: string }): Head => ({ size, root: fromHex(root) })

export async function insertEntries(transaction: Db, firstIndex: number, entries: readonly LogEntry[]): Promise<void> {
  await transaction
    .insertInto('log_entries')
    .values(
      entries.map(({ entry, leafHash }, i) => ({ leaf_index: firstIndex + i, entry, leaf_hash: toHex(leafHash) })),
    )
    .execute()
}

/** @returns at least the asked part of a tile; undefined when it has not grown so far. */
export async function findTile(db: Db, level: number, tileIndex: number, width: number): Promise<Bytes | undefined> {
  const row = await db
    .selectFrom('log_tiles')
    .select('data')
    .where('level', '=', level)
    .where('tile_index', '=', tileIndex)
    .executeTakeFirst()
  return row && row.data.length >= width * 32 ? row.data.subarray(0, width * 32) : undefined
}

export async function writeTile(transaction: Db, level: number, tileIndex: number, data: Bytes): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('log_tiles')
    .set({ data })
    .where('level', '=', level)
    .where('tile_index', '=', tileIndex)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    await transaction.insertInto('log_tiles').values({ level, tile_index: tileIndex, data }).execute()
}

export async function findLeafIndex(db: Db, leafHash: Bytes): Promise<number | undefined> {
  const row = await db
    .selectFrom('log_entries')
    .select('leaf_index')
    .where('leaf_hash', '=', toHex(leafHash))
    .executeTakeFirst()
  return row?.leaf_index
}

/** From one leaf on, in the order of the tree. */
export async function listEntries(
  db: Db,
  from: number,
  most: number,
): Promise<{ leaf_index: number; entry: string }[]> {
  return db
    .selectFrom('log_entries')
    .select(['leaf_index', 'entry'])
    .where('leaf_index', '>=', from)
    .where('leaf_index', '<', from + most)
    .orderBy('leaf_index')
    .execute()
}

/** What waits already waits once. */
export async function enqueueEntry(transaction: Db, { entry, leafHash }: LogEntry): Promise<void> {
  await transaction
    .insertInto('log_queue')
    .values({ entry, leaf_hash: toHex(leafHash) })
    .onConflict((conflict) => conflict.column('leaf_hash').doNothing())
    .execute()
}

/** A statement that waits for its place. */
export interface WaitingEntry {
  id: number
  entry: string
  leaf_hash: string
  /** Where the same stands already; null where it does not. */
  leaf_index: number | null
}

/** The oldest first. */
export async function listQueue(transaction: Db): Promise<WaitingEntry[]> {
  return transaction
    .selectFrom('log_queue')
    .leftJoin('log_entries', 'log_entries.leaf_hash', 'log_queue.leaf_hash')
    .select(['log_queue.id', 'log_queue.entry', 'log_queue.leaf_hash', 'log_entries.leaf_index'])
    .orderBy('log_queue.id')
    .limit(MOST_WAITING)
    .execute()
}

export async function dropFromQueue(transaction: Db, ids: readonly number[]): Promise<void> {
  await transaction.deleteFrom('log_queue').where('id', 'in', ids).execute()
}

/** Rows wait here for milliseconds. */
export async function hasQueue(db: Db): Promise<boolean> {
  return (await db.selectFrom('log_queue').select('id').orderBy('id').limit(1).executeTakeFirst()) !== undefined
}

export async function findNewestCheckpoint(db: Db): Promise<Checkpoint | undefined> {
  return db.selectFrom('log_checkpoints').selectAll().orderBy('size', 'desc').limit(1).executeTakeFirst()
}

/** Sizes of heads. */
export interface SizeRange {
  above: number
  upTo: number
}

/** All of them. */
export const ANY_SIZE: SizeRange = { above: -1, upTo: Number.MAX_SAFE_INTEGER }

/** The largest signed head of some sizes. */
export async function findLargestCheckpoint(db: Db, { above, upTo }: SizeRange): Promise<Checkpoint | undefined> {
  return db
    .selectFrom('log_checkpoints')
    .selectAll()
    .where('size', '>', above)
    .where('size', '<=', upTo)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The smallest one. */
export async function findSmallestCheckpoint(db: Db, { above, upTo }: SizeRange): Promise<Checkpoint | undefined> {
  return db
    .selectFrom('log_checkpoints')
    .selectAll()
    .where('size', '>', above)
    .where('size', '<=', upTo)
    .orderBy('size')
    .limit(1)
    .executeTakeFirst()
}

/** The signed heads below a size, the largest first. */
export async function listCheckpoints(db: Db, below: number, most: number): Promise<Checkpoint[]> {
  return db
    .selectFrom('log_checkpoints')
    .selectAll()
    .where('size', '<', below)
    .orderBy('size', 'desc')
    .limit(most)
    .execute()
}

/** @returns the signed head of that size: this one, or the one that was there before. */
export async function keepCheckpoint(db: Db, checkpoint: Checkpoint): Promise<Checkpoint> {
  const known = await findCheckpoint(db, checkpoint.size)
  if (known) return known
  const kept = await db
    .insertInto('log_checkpoints')
    .values(checkpoint)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return kept ?? (await findCheckpoint(db, checkpoint.size)) ?? checkpoint
}

async function findCheckpoint(db: Db, size: number): Promise<Checkpoint | undefined> {
  return db.selectFrom('log_checkpoints').selectAll().where('size', '=', size).executeTakeFirst()
}

export type Commitment = Selectable<LogCommitmentRow>

export async function insertCommitment(transaction: Db, commitment: Commitment): Promise<void> {
  await transaction.insertInto('log_commitments').values(commitment).execute()
}

export async function findApproval(db: Db, proofRowId: number): Promise<Commitment | undefined> {
  return db
    .selectFrom('log_commitments')
    .selectAll()
    .where('proof_id', '=', proofRowId)
    .where('kind', '=', 'approve')
    .executeTakeFirst()
}

/** Keeps the place in the log of a withdrawn approval whose proof is erased. */
export async function keepWithdrawnLeaf(transaction: Db, leafHash: string): Promise<void> {
  await transaction
    .insertInto('log_withdrawn_leaves')
    .values({ leaf_hash: leafHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * The places in the log of those.
 * @scans: of withdrawn approvals hardly one is ever erased.
 */
export async function listErasedWithdrawn(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('log_withdrawn_leaves')
    .innerJoin('log_entries', 'log_entries.leaf_hash', 'log_withdrawn_leaves.leaf_hash')
    .select('log_entries.leaf_index')
    .execute()
  return rows.map(({ leaf_index }) => leaf_index)
}
