import { fromBase64, toBase64 } from '../base64.ts'
import type { Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { HASH_BYTES } from './tree.ts'

/** First line of a proof file. c2sp.org/tlog-proof, "Format". */
const FIRST_LINE = 'c2sp.org/tlog-proof@v1\n'

/** The largest file is one whose `extra` is large; longer text is refused unread. */
const MAX_LENGTH = 10_000_000

/** A tree of 2^53 entries has no longer path. */
const MAX_PATH = 53

const HEAD = /^(?:extra ([A-Za-z0-9+/=]*)\n)?index (0|[1-9]\d{0,15})\n/

/** That an entry, known from elsewhere, is in a log. */
export interface TlogProof {
  /** Place of the entry. */
  index: number
  path: readonly Bytes[]
  /** A signed checkpoint, as it was issued; not looked at here. */
  checkpoint: string
  /** Not signed by anybody: nothing in it is to be trusted that is not worked out again. */
  extra?: Bytes
}

/**
 * Writes a proof file.
 * @throws ProofError `log_proof` for what could not be read again.
 * @see c2sp.org/tlog-proof, "Format"
 */
export function formatTlogProof({ index, path, checkpoint, extra }: TlogProof): string {
  const head = extra ? `extra ${toBase64(extra)}\n` : ''
  const lines = path.map((hash) => `${toBase64(hash)}\n`)
  const text = `${FIRST_LINE}${head}index ${index}\n${lines.join('')}\n${checkpoint}`
  parseTlogProof(text)
  return text
}

/**
 * Reads a proof file.
 * @throws ProofError `log_proof`.
 * @see c2sp.org/tlog-proof, "Format"
 */
export function parseTlogProof(text: string): TlogProof {
  if (text.length > MAX_LENGTH || !text.startsWith(FIRST_LINE)) refuse('log_proof', 'first line')
  const rest = text.slice(FIRST_LINE.length)
  const [head = '', base64, digits] = HEAD.exec(rest) ?? []
  const index = digits === undefined ? Number.NaN : Number(digits)
  if (!Number.isSafeInteger(index)) refuse('log_proof', 'index')
  const extra = base64 === undefined ? undefined : (fromBase64(base64) ?? refuse('log_proof', 'extra'))
  const { path, end } = readPath(rest, head.length)
  const checkpoint = rest.slice(end)
  if (!checkpoint.endsWith('\n')) refuse('log_proof', 'checkpoint')
  return { index, path, checkpoint, ...(extra && { extra }) }
}

/** One hash a line, up to the empty line. @returns `end`: where the checkpoint begins. */
function readPath(text: string, start: number): { path: Bytes[]; end: number } {
  const path: Bytes[] = []
  let at = start
  while (text.charAt(at) !== '\n') {
    const end = text.indexOf('\n', at)
    const hash = end < 0 ? undefined : fromBase64(text.slice(at, end))
    if (hash?.length !== HASH_BYTES || path.push(hash) > MAX_PATH) return refuse('log_proof', 'path')
    at = end + 1
  }
  return { path, end: at + 1 }
}
