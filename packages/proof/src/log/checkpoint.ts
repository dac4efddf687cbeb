import { fromBase64, toBase64 } from '../base64.ts'
import type { Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'

/** What a log says of itself at one moment. */
export interface Checkpoint {
  /** Names the log. */
  origin: string
  /** Number of entries. */
  size: number
  root: Bytes
}

const MAX_LENGTH = 1000
const TEXT = /^([^\p{Cc}\p{Cs}]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n$/u

/** The text of a checkpoint, for a note. @throws ProofError `log_checkpoint` for what could not be read again. c2sp.org/tlog-checkpoint, "Note text". */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  const text = `${origin}\n${size}\n${toBase64(root)}\n`
  parseCheckpoint(text)
  return text
}

/**
 * Reads the text of a checkpoint in its one form. Lines after the third are refused: no witness answers for them.
 * @throws ProofError `log_checkpoint`, also for sizes from 2^53 on, which no number holds exactly.
 * @see c2sp.org/tlog-checkpoint, "Note text"
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [, origin, digits, base64 = ''] = (text.length <= MAX_LENGTH && TEXT.exec(text)) || []
  const root = fromBase64(base64)
  const size = Number(digits)
  if (origin === undefined || !root || !Number.isSafeInteger(size)) return refuse('log_checkpoint', 'checkpoint')
  return { origin, size, root }
}
