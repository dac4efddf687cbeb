import { areEqual, toHex } from '@proofdesk/proof/bytes'
import { ProofError } from '@proofdesk/proof/errors'
import { parseCheckpoint, type Checkpoint } from '@proofdesk/proof/log/checkpoint'
import { formatVerifierKey, openNote } from '@proofdesk/proof/log/note'
import { openCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import { parsePolicy } from '@proofdesk/proof/log/policy'
import { parseStatement, type Statement } from '@proofdesk/proof/log/statements'
import {
  computeRoot,
  formatEntriesPath,
  formatTilePath,
  parseEntryBundle,
  proveConsistency,
  type ReadTile,
} from '@proofdesk/proof/log/tiles'
import { hashLeaf, verifyConsistency } from '@proofdesk/proof/log/tree'
import { NetworkError } from '../../lib/api-error.ts'
import { findKnownHead, keepKnownHead, type KnownHead } from './known-heads.ts'
import { readWitnesses, type WitnessNews } from './read-witnesses.ts'

type Bytes = Uint8Array<ArrayBuffer>

const BUNDLE = 256
const SHOWN_ENTRIES = 20
/** For each answer to its end; even the largest, a bundle of entries, is small. */
export const LOG_PATIENCE_MS = 15_000

export interface LoggedStatement {
  index: number
  statement: Statement
}

/** A log that this browser has read and checked. */
export interface CheckedLog {
  kind: 'checked'
  origin: string
  verifierKey: string
  size: number
  /** Hex. */
  root: string
  /** Signed by the log; what it was checked from. */
  note: string
  /** Names of witnesses that vouch for this very head, besides the log itself. */
  vouching: string[]
  witnesses: WitnessNews[]
  /** What this installation witnesses others with. */
  ownWitnessKey: string | null
  /** The newest first. */
  entries: LoggedStatement[]
  /** What this browser had checked before, and which the log continues. */
  known: KnownHead | undefined
}

/** The log is not what it says, or not what it once was. */
export interface BrokenLog {
  kind: 'broken'
  /** `history`: it contradicts what this browser has seen before; `contents`: its head does not fit what it serves. */
  reason: 'history' | 'contents'
  note: string
  known: KnownHead | undefined
}

/**
 * The head that is served is older than one that was signed. That alone contradicts nothing: a cache on the way may be late.
 * The log may be held back as well, which both heads show.
 */
export interface LateLog {
  kind: 'behind'
  note: string
  /** The larger head, as it was signed. */
  newer: string
}

/** Without WebCrypto, which browsers give to pages of https and of this machine alone, no signature can be checked. */
export const canCheck = (): boolean => globalThis.crypto?.subtle !== undefined

/**
 * Reads the log as a stranger does, and checks it here: the head's signature, its root from the served tiles, the newest
 * entries against them, and that it continues the newest head that this browser has seen.
 * @throws NetworkError when it cannot be read, or not in time.
 */
export async function readLog(): Promise<CheckedLog | BrokenLog | LateLog> {
  const policy = parsePolicy(await readText('/log/policy'))
  const [log] = policy.logs
  if (!log) throw new NetworkError()
  const { name: origin } = log.key
  // In this order: an approval in between makes the log's head the larger one, and never that of a witness.
  const signed = await readText('/log/witnesses', 'no-store')
  const note = await readText('/log/checkpoint', 'no-store')
  const known = await findKnownHead(origin)
  try {
    const { checkpoint: head, cosignatures } = await openCheckpoint(note, policy)
    if (head.origin !== origin) return { kind: 'broken', reason: 'contents', note, known }
    const readTile = openTiles()
    if (!areEqual(await computeRoot(head.size, readTile), head.root))
      return { kind: 'broken', reason: 'contents', note, known }
    if (known) {
      const before = await readHead(known, log.key)
      if (before.size > head.size) return { kind: 'behind', note, newer: known.note }
      if (!(await continues(head, before, readTile))) return { kind: 'broken', reason: 'history', note, known }
    }
    const { witnesses, ownWitnessKey } = await readWitnesses(policy, signed)
    for (const { last } of witnesses) {
      if (!last) continue
      if (last.head.size > head.size) return { kind: 'behind', note, newer: last.note }
      if (!(await continues(head, last.head, readTile))) return { kind: 'broken', reason: 'contents', note, known }
    }
    const entries = await readNewest(head.size, readTile)
    await keepKnownHead({ origin, note, seenAt: new Date().toISOString() })
    return {
      kind: 'checked',
      origin,
      verifierKey: formatVerifierKey(origin, log.key.publicKey),
      size: head.size,
      root: toHex(head.root),
      note,
      vouching: cosignatures.map(({ name }) => name),
      witnesses,
      ownWitnessKey,
      entries,
      known,
    }
  } catch (error) {
    if (error instanceof ProofError) return { kind: 'broken', reason: 'contents', note, known }
    throw error
  }
}

async function readHead({ note }: KnownHead, key: Parameters<typeof openNote>[1][number]): Promise<Checkpoint> {
  return parseCheckpoint((await openNote(note, [key])).text)
}

/** What a log had stays as it was. @param known At most as large as the head. */
async function continues(head: Checkpoint, known: Checkpoint, readTile: ReadTile): Promise<boolean> {
  if (known.size === head.size) return areEqual(known.root, head.root)
  try {
    const path = await proveConsistency(known.size, head.size, readTile)
    verifyConsistency({ oldSize: known.size, oldRoot: known.root, newSize: head.size, newRoot: head.root, path })
    return true
  } catch (error) {
    if (error instanceof ProofError) return false
    throw error
  }
}

async function readNewest(size: number, readTile: ReadTile): Promise<LoggedStatement[]> {
  const first = Math.max(0, size - SHOWN_ENTRIES)
  const found: LoggedStatement[] = []
  for (let bundle = Math.floor(first / BUNDLE); bundle * BUNDLE < size; bundle++) {
    const width = Math.min(BUNDLE, size - bundle * BUNDLE)
    const entries = parseEntryBundle(await readBytes(`/log/${formatEntriesPath(bundle, width)}`))
    const tile = await readTile(0, bundle, width)
    for (const [at, entry] of entries.entries()) {
      if (!areEqual(hashLeaf(entry), tile.subarray(at * 32, at * 32 + 32)))
        throw new ProofError('log_tile', 'an entry that is not in the tree')
      const index = bundle * BUNDLE + at
      if (index >= first) found.push({ index, statement: parseStatement(entry) })
    }
  }
  return found.toReversed()
}

/** Each tile is asked for once. */
function openTiles(): ReadTile {
  const asked = new Map<string, Promise<Bytes>>()
  return (level, index, width) => {
    const path = `/log/${formatTilePath(level, index, width)}`
    const tile = asked.get(path) ?? readBytes(path)
    asked.set(path, tile)
    return tile
  }
}

/** @param cache `no-store` for what changes: a browser's copy would be older than what it is compared with. */
function readText(path: string, cache?: RequestCache): Promise<string> {
  return ask(path, (response) => response.text(), cache)
}

function readBytes(path: string): Promise<Bytes> {
  return ask(path, async (response) => new Uint8Array(await response.arrayBuffer()))
}

/** @throws NetworkError also for an answer that is none, or does not come in time: what the log is cannot be told then. */
async function ask<T>(
  path: string,
  read: (response: Response) => Promise<T>,
  cache: RequestCache = 'default',
): Promise<T> {
  const signal = AbortSignal.timeout(LOG_PATIENCE_MS)
  try {
    const response = await fetch(path, { credentials: 'omit', cache, signal })
    if (response.ok) return await read(response)
  } catch (cause) {
    throw new NetworkError(undefined, { cause })
  }
  throw new NetworkError()
}
