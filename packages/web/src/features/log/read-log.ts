import { areEqual, toHex } from '@proofdesk/proof/bytes'
import { ProofError } from '@proofdesk/proof/errors'
import { parseCheckpoint, type Checkpoint } from '@proofdesk/proof/log/checkpoint'
import { formatVerifierKey, openNote } from '@proofdesk/proof/log/note'
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

/** Without WebCrypto, which browsers give to pages of https and of this machine alone, no signature can be checked. */
export const canCheck = (): boolean => globalThis.crypto?.subtle !== undefined

/**
 * Reads the log as a stranger does, and checks it here: the head's signature, its root from the served tiles, the newest
 * entries against them, and that it continues the newest head that this browser has seen.
 * @throws NetworkError when it cannot be read.
 */
export async function readLog(): Promise<CheckedLog | BrokenLog> {
  const policy = parsePolicy(await readText('/log/policy'))
  const [log] = policy.logs
  if (!log) throw new NetworkError()
  const { name: origin } = log.key
  const note = await readText('/log/checkpoint')
  const known = await findKnownHead(origin)
  try {
    const witnessKeys = [...policy.witnesses.values()].map(({ key }) => key)
    const { text, signatures } = await openNote(note, [log.key, ...witnessKeys])
    const head = parseCheckpoint(text)
    const readTile = openTiles()
    if (!areEqual(await computeRoot(head.size, readTile), head.root))
      return { kind: 'broken', reason: 'contents', note, known }
    if (known && !(await continues(head, await readHead(known, log.key), readTile)))
      return { kind: 'broken', reason: 'history', note, known }
    const { witnesses, ownWitnessKey } = await readWitnesses(policy, await readText('/log/witnesses'))
    for (const { last } of witnesses)
      if (last && !(await continues(head, last.head, readTile)))
        return { kind: 'broken', reason: 'contents', note, known }
    const entries = await readNewest(head.size, readTile)
    await keepKnownHead({ origin, note, seenAt: new Date().toISOString() })
    const isWitness = ({ key }: { key: unknown }) => key !== log.key
    return {
      kind: 'checked',
      origin,
      verifierKey: formatVerifierKey(origin, log.key.publicKey),
      size: head.size,
      root: toHex(head.root),
      note,
      vouching: signatures.filter(isWitness).map(({ name }) => name),
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

/** A log never shrinks, and what it had stays as it was. */
async function continues(head: Checkpoint, known: Checkpoint, readTile: ReadTile): Promise<boolean> {
  if (known.size > head.size) return false
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

async function readText(path: string): Promise<string> {
  return (await ask(path)).text()
}

async function readBytes(path: string): Promise<Bytes> {
  return new Uint8Array(await (await ask(path)).arrayBuffer())
}

/** @throws NetworkError also for an answer that is none: what the log is cannot be told then. */
async function ask(path: string): Promise<Response> {
  const response = await fetch(path, { credentials: 'omit' }).catch(() => undefined)
  if (!response?.ok) throw new NetworkError()
  return response
}
