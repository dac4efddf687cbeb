import { toHex } from '@proofdesk/proof/bytes'
import { formatCheckpoint, parseCheckpoint } from '@proofdesk/proof/log/checkpoint'
import { openNote, signNote } from '@proofdesk/proof/log/note'
import { proveConsistency } from '@proofdesk/proof/log/tiles'
import { verifyConsistency } from '@proofdesk/proof/log/tree'
import type { Db } from '../db/open.ts'
import { AppError } from '../errors.ts'
import { readTilesOf } from './append-statement.ts'
import type { HeadGuard } from './head-guard.ts'
import type { LogKey } from './keep-log-key.ts'
import type { LogParts } from './log.ts'
import { askHead, findHead, findNewestCheckpoint, keepCheckpoint, type Checkpoint, type Head } from './queries.ts'

/**
 * Signs the tree as it is committed, unless that is done. Never inside a transaction: a head of a tree that was rolled back
 * would contradict every later one. The guard has it before anybody sees it.
 * @throws AppError `log_behind` for a tree that is smaller than one that was signed, or does not continue it.
 */
export async function signHead(
  { db, now }: Pick<LogParts, 'db' | 'now'>,
  key: LogKey,
  guard: HeadGuard,
): Promise<Checkpoint> {
  // The heads first: another process may sign in between, and the tree only grows.
  const kept = await Promise.all((await guard.readNewest()).map((note) => openHead(note, key)))
  const head = await askHead(db)
  // A database that was put back under running servers has forgotten its heads too, whichever of them signed.
  if (kept.some(({ size }) => size > head.size)) throw new AppError('log_behind')
  const last = await findNewestCheckpoint(db)
  for (const earlier of kept)
    await mustContinue(db, earlier, head).catch((cause: unknown) => {
      throw cause instanceof AppError ? cause : new AppError('log_behind', { cause })
    })
  if (last && last.size >= head.size) return last
  if (last) await mustContinue(db, await openHead(last.note, key), head)
  const note = await signNote(formatCheckpoint({ origin: key.name, ...head }), [key])
  await guard.keep(note, head.size)
  return keepCheckpoint(db, { size: head.size, note, signed_at: now() })
}

/** Whether leaves are committed that no signed head holds. */
export async function isUnsigned(reads: Db): Promise<boolean> {
  const signed = (await findNewestCheckpoint(reads))?.size ?? 0
  return (await findHead(reads)).size > signed
}

/** Whether a head of a larger tree was signed than the database has, as after it was put back under a running server. */
export async function isPassed(reads: Db, key: LogKey, guard: HeadGuard): Promise<boolean> {
  // The heads first: another process may sign in between, and the tree only grows.
  const kept = await Promise.all((await guard.readNewest()).map((note) => openHead(note, key)))
  const { size } = await findHead(reads)
  return kept.some((head) => head.size > size)
}

/** @returns why the database must not be signed for, in words for the operator; undefined when all is well. */
export async function checkGuard(db: Db, key: LogKey, guard: HeadGuard): Promise<string | undefined> {
  // The heads first: another process may sign in between, and the tree only grows.
  const notes = [...(await guard.read()), (await findNewestCheckpoint(db))?.note]
  const head = await findHead(db)
  for (const note of notes) {
    if (note === undefined) continue
    const signed = await openHead(note, key)
    if (signed.size > head.size)
      return `a head of ${signed.size} leaves was signed, and the database has ${head.size}: it is older than what was published. Restore a backup that reaches further; nothing is approved until then`
    try {
      await mustContinue(db, signed, head)
    } catch {
      return `the tree of the database contradicts the head of ${signed.size} leaves that was signed: leaves were changed. Restore the database as it was`
    }
  }
  return undefined
}

async function openHead(note: string, key: LogKey): Promise<Head> {
  const { text } = await openNote(note, [key.verifier])
  const { origin, size, root } = parseCheckpoint(text)
  if (origin !== key.name) throw new Error(`log: a head of another log, ${origin}`)
  return { size, root }
}

/** The leaves of an earlier tree stand unchanged at the beginning of this one. RFC 9162 section 2.1.4. */
async function mustContinue(db: Db, earlier: Head, head: Head): Promise<void> {
  if (earlier.size === head.size) {
    if (toHex(earlier.root) !== toHex(head.root)) throw new Error('log: two trees of one size')
    return
  }
  const path = await proveConsistency(earlier.size, head.size, readTilesOf(db))
  verifyConsistency({ oldSize: earlier.size, oldRoot: earlier.root, newSize: head.size, newRoot: head.root, path })
}
