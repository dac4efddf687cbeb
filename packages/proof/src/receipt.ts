import { fromHex } from './bytes.ts'
import { formatCanonicalJson, parseCanonicalJson, readMembers, type JsonValue } from './canonical-json.ts'
import { refuse } from './errors.ts'
import type { InstancePolicy } from './instance-policy.ts'
import { computeKeyId, formatNote, openNote, SIGNATURE_TYPE, signNote } from './log/note.ts'
import { parsePaperKey } from './paper/paper-key.ts'
import { readProofId } from './proof-id.ts'
import { isSeconds } from './seconds.ts'

/** What an instance says of a proof at one moment. Times are seconds since 1970 UTC. */
export interface Receipt {
  /** In its printed form. */
  proofId: string
  verdict: 'valid' | 'revoked' | 'expired'
  /** When it was asked. */
  at: number
  /** SHA-256 of the certified PDF, lower-case hex, and its bytes. */
  sha256: string
  size: number
  /** Until when it holds, or held; null for ever. */
  expiresAt: number | null
  /** Null unless it is revoked. */
  revokedAt: number | null
  /** The newest signed head of the log then; `root` is lower-case hex. */
  head: { origin: string; size: number; root: string }
}

/** No log has this name: nobody takes a receipt for a checkpoint. */
const FIRST_LINE = 'Proofdesk receipt v1'
const HASH = /^[0-9a-f]{64}$/
const VERDICTS = ['valid', 'revoked', 'expired'] as const

/** Under which receipts are signed: the log's name and this. */
const keyNameOf = (origin: string): string => `${origin}/receipts`

/** Signs with a key that the instance's policy names under `paperKeys`. */
export interface ReceiptSigner {
  /** As `formatPaperKey` writes it. */
  publicKey: string
  /** Ed25519 signature of the message, 64 bytes. */
  sign(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Writes a receipt as a signed note: a line that says what it is, and JSON in its one form.
 * @throws ProofError `receipt` for what could not be read again; `log_note`.
 * @see c2sp.org/signed-note; RFC 8785
 */
export async function signReceipt(receipt: Receipt, { publicKey, sign }: ReceiptSigner): Promise<string> {
  const { proofId: pid, verdict, at, sha256, size, expiresAt: exp, revokedAt: rev, head } = receipt
  const members = { at, exp, head: { ...head }, pid, rev, sha256, size, verdict }
  const text = `${FIRST_LINE}\n${formatCanonicalJson(members) ?? refuse('receipt', 'no JSON')}\n`
  readReceipt(text)
  const key = parsePaperKey(publicKey) ?? refuse('receipt', 'key')
  const name = keyNameOf(head.origin)
  return signNote(text, [{ name, keyId: computeKeyId(name, key), sign }])
}

/**
 * Reads a receipt that an instance signed.
 * @throws ProofError `receipt`; `newer` for a later version; `log_note`, `log_signature`, `log_trust`, `unsupported`.
 */
export async function openReceipt(note: string, policy: Pick<InstancePolicy, 'log' | 'paperKeys'>): Promise<Receipt> {
  const keys = policy.log.logs.flatMap(({ key: { name: origin } }) =>
    policy.paperKeys.flatMap((text) => {
      const publicKey = parsePaperKey(text)
      const name = keyNameOf(origin)
      const type = SIGNATURE_TYPE.ed25519
      return publicKey ? [{ name, publicKey, type, keyId: computeKeyId(name, publicKey) }] : []
    }),
  )
  const { text, signatures } = await openNote(note, keys)
  const receipt = readReceipt(text)
  // one line and no other: what else stands there nobody signed, and bits that nothing reads could be others (RFC 4648 section 3.5)
  if (signatures.length !== 1 || formatNote(text, signatures) !== note) refuse('receipt', 'signature line')
  // Each log of a policy speaks for itself.
  if (!signatures.some(({ name }) => name === keyNameOf(receipt.head.origin))) refuse('receipt', 'another log')
  return receipt
}

function readReceipt(text: string): Receipt {
  const [first = '', json = '', end, ...below] = text.split('\n')
  if (first !== FIRST_LINE) {
    if (/^Proofdesk receipt v\d{1,4}$/.test(first)) refuse('newer', first)
    refuse('receipt', 'no receipt')
  }
  const { at, exp, head, pid, rev, sha256, size, verdict, ...others } = readMembers(parseCanonicalJson(json)) ?? {}
  const { origin, size: entries, root, ...more } = readMembers(head) ?? {}
  const known = VERDICTS.find((one) => one === verdict)
  const isWhole = end === '' && below.length === 0 && Object.keys(others).length === 0 && Object.keys(more).length === 0
  const areTimes = isSeconds(at) && (exp === null || isSeconds(exp)) && (rev === null || isSeconds(rev))
  if (!isWhole || !areTimes || !isCount(size) || !isCount(entries)) return refuse('receipt', 'members')
  if (!isHash(sha256) || !isHash(root) || typeof origin !== 'string') return refuse('receipt', 'head or hash')
  if (typeof pid !== 'string' || readProofId(pid) !== pid) return refuse('receipt', 'Proof ID')
  if (known === undefined || (known === 'revoked') !== (rev !== null)) return refuse('receipt', 'verdict')
  return {
    proofId: pid,
    verdict: known,
    at,
    sha256,
    size,
    expiresAt: exp,
    revokedAt: rev,
    head: { origin, size: entries, root },
  }
}

const isCount = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const isHash = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && HASH.test(value) && fromHex(value).length === 32
