import { fromBase64, toBase64 } from '../base64.ts'
import { areEqual, type Bytes } from '../bytes.ts'
import { ProofError, refuse } from '../errors.ts'
import { parseCheckpoint, type Checkpoint } from './checkpoint.ts'
import {
  formatSignatureLine,
  openNote,
  parseNote,
  parseSignatureLine,
  type NoteSignature,
  type VerifierKey,
} from './note.ts'
import { EMPTY_ROOT, HASH_BYTES, verifyConsistency } from './tree.ts'

/** c2sp.org/tlog-witness, "add-checkpoint". */
const MAX_PATH = 63
const MAX_ANSWER_LENGTH = 100_000

/** What a log asks of a witness. */
export interface AddCheckpointRequest {
  /** Size that the log believes the witness has signed last. */
  oldSize: number
  path: readonly Bytes[]
  /** Signed by the log. */
  note: string
  /** What the note says; not to be believed before a signature was checked. */
  checkpoint: Checkpoint
}

/** The body of a request. @throws ProofError `log_witness`, and those of `parseNote` and `parseCheckpoint`, for what could not be read again. c2sp.org/tlog-witness, "add-checkpoint". */
export function formatAddCheckpoint({ oldSize, path, note }: Omit<AddCheckpointRequest, 'checkpoint'>): string {
  const body = `old ${oldSize}\n${path.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`
  parseAddCheckpoint(body)
  return body
}

/**
 * Reads the body of a request: whoever asks otherwise is told 400.
 * @throws ProofError `log_witness`, `log_note`, `log_checkpoint`.
 * @see c2sp.org/tlog-witness, "add-checkpoint"
 */
export function parseAddCheckpoint(body: string): AddCheckpointRequest {
  const end = body.indexOf('\n\n')
  const [old = '', ...lines] = body.slice(0, Math.max(end, 0)).split('\n', MAX_PATH + 2)
  const digits = /^old (0|[1-9]\d{0,15})$/.exec(old)?.[1]
  const oldSize = Number(digits ?? Number.NaN)
  if (!Number.isSafeInteger(oldSize) || lines.length > MAX_PATH) refuse('log_witness', 'old size')
  const path = lines.map((line) => {
    const hash = fromBase64(line)
    return hash?.length === HASH_BYTES ? hash : refuse('log_witness', 'path')
  })
  const note = body.slice(end + 2)
  return { oldSize, path, note, checkpoint: parseCheckpoint(parseNote(note).text) }
}

/** What a witness remembers of a log. */
export interface WitnessedLog {
  origin: string
  /** Keys that the witness trusts for this origin. */
  keys: readonly VerifierKey[]
  /** Of the checkpoint that it signed last; 0 and the root of the empty tree when there is none. */
  size: number
  root: Bytes
}

/** What a witness answers, by its HTTP status. `size`: of the checkpoint that it signed last. */
export type AddCheckpointVerdict =
  | { status: 200; text: string; checkpoint: Checkpoint }
  | { status: 400 | 403 | 404 | 422 }
  | { status: 409; size: number }

/**
 * Judges a request as a witness. The caller then makes `checkpoint` the state of the log in one conditional update, on the
 * size that was judged here, before it signs `text` and answers.
 * @param log What is remembered of `request.checkpoint.origin`; undefined when the witness does not know that origin.
 * @throws ProofError `unsupported` alone.
 * @see c2sp.org/tlog-witness, "add-checkpoint"
 */
export async function judgeAddCheckpoint(
  log: WitnessedLog | undefined,
  { oldSize, path, note, checkpoint }: AddCheckpointRequest,
): Promise<AddCheckpointVerdict> {
  if (!log || log.origin !== checkpoint.origin) return { status: 404 }
  const text = await readSigned(note, log.keys)
  if (text === undefined) return { status: 403 }
  if (oldSize > checkpoint.size) return { status: 400 }
  const isOtherTree = checkpoint.size === log.size && log.size > 0 && !areEqual(checkpoint.root, log.root)
  if (oldSize !== log.size || isOtherTree) return { status: 409, size: log.size }
  return isConsistent(log, checkpoint, path) ? { status: 200, text, checkpoint } : { status: 422 }
}

async function readSigned(note: string, keys: readonly VerifierKey[]): Promise<string | undefined> {
  try {
    return (await openNote(note, keys)).text
  } catch (error) {
    if (error instanceof ProofError && error.code !== 'unsupported') return undefined
    throw error
  }
}

function isConsistent(log: WitnessedLog, { size, root }: Checkpoint, path: readonly Bytes[]): boolean {
  if (size === 0 && !areEqual(root, EMPTY_ROOT)) return false
  // the empty tree is the beginning of every tree, and there is nothing to prove
  if (log.size === 0) return path.length === 0
  try {
    verifyConsistency({ oldSize: log.size, oldRoot: log.root, newSize: size, newRoot: root, path })
    return true
  } catch {
    return false
  }
}

/** The body of the answer 200. c2sp.org/tlog-witness, "add-checkpoint". */
export function formatAddCheckpointAnswer(signatures: readonly NoteSignature[]): string {
  return signatures.map(formatSignatureLine).join('')
}

/** Reads the body of the answer 200; `addCosignatures` checks it. @throws ProofError `log_witness`, `log_note`. c2sp.org/tlog-witness, "add-checkpoint". */
export function parseAddCheckpointAnswer(body: string): NoteSignature[] {
  if (body.length > MAX_ANSWER_LENGTH || !body.endsWith('\n')) refuse('log_witness', 'answer')
  return body.slice(0, -1).split('\n').map(parseSignatureLine)
}

/** Reads the body of the answer 409: the size that the witness has signed last. @throws ProofError `log_witness`. c2sp.org/tlog-witness, "add-checkpoint". */
export function parseConflict(body: string): number {
  const size = /^(?:0|[1-9]\d{0,15})\n$/.test(body) ? Number(body) : Number.NaN
  return Number.isSafeInteger(size) ? size : refuse('log_witness', 'size')
}
