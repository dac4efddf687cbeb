import { findStatusPage } from '@proofdesk/proof/log/status-page'
import { formatStatement, type Statement } from '@proofdesk/proof/log/statements'
import { appendLeaves, type ReadTile } from '@proofdesk/proof/log/tiles'
import { hashLeaf } from '@proofdesk/proof/log/tree'
import type { Db, Engine } from '../db/open.ts'
import * as queries from './queries.ts'
import type { Head, LogEntry } from './queries.ts'
import { wantPage } from './status/queries.ts'

/**
 * Puts a statement into the log, in the transaction of what it is about: both stand or fall together. On SQLite it has its
 * place in the tree at once; on PostgreSQL it gets it after the commit, so that no approval waits for another.
 * @returns its leaf hash.
 */
export async function appendStatement(
  engine: Engine,
  transaction: Db,
  statement: Statement,
): Promise<Uint8Array<ArrayBuffer>> {
  const entry = toEntry(statement)
  if (engine === 'postgres') await queries.enqueueEntry(transaction, entry)
  else await appendEntries(engine, transaction, [entry])
  if (statement.kind === 'revoke' || statement.kind === 'reinstate' || statement.kind === 'amend')
    await wantPage(transaction, findStatusPage(statement.ref))
  return entry.leafHash
}

/** Gives entries their places at the end of the tree. @returns the tree with them */
export async function appendEntries(engine: Engine, transaction: Db, entries: readonly LogEntry[]): Promise<Head> {
  const was = await queries.lockHead(transaction, engine)
  const { tiles, ...now } = await appendLeaves(
    was.size,
    entries.map(({ leafHash }) => leafHash),
    readTilesOf(transaction),
  )
  await queries.insertEntries(transaction, was.size, entries)
  for (const { level, index, data } of tiles) await queries.writeTile(transaction, level, index, data)
  if (!(await queries.moveHead(transaction, was, now))) throw new Error('log: the tree was added to by somebody else')
  return now
}

export function toEntry(statement: Statement): LogEntry {
  const bytes = formatStatement(statement)
  return { entry: new TextDecoder().decode(bytes), leafHash: hashLeaf(bytes) }
}

/** @throws Error when the database has lost a tile. */
export function readTilesOf(db: Db): ReadTile {
  return async (level, index, width) => {
    const data = await queries.findTile(db, level, index, width)
    if (!data) throw new Error(`log: tile ${level}/${index} lacks hashes up to ${width}`)
    return data
  }
}
