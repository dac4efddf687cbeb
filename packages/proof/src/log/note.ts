import { fromBase64, fromLooseBase64, toBase64 } from '../base64.ts'
import { joinBytes, type Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { hashSha256 } from '../sha256.ts'
import { writeUtf8 } from '../utf8.ts'
import { readTimedSignature, writeCosignedMessage } from './cosigned-message.ts'
import { PUBLIC_KEY_BYTES, verifyEd25519 } from './ed25519.ts'

/** What a key signs: the text itself, or as a witness the time and the text. c2sp.org/signed-note, "Signature types". */
export const SIGNATURE_TYPE = { ed25519: 0x01, cosignature: 0x04 } as const

/** C2SP demands room for 16 signatures; more than that many, or longer text, is refused unread. */
const MAX_SIGNATURES = 100
const MAX_NOTE_LENGTH = 1_000_000

/** Name without spaces of any script and without plus. c2sp.org/signed-note, "Format". */
const NAME = String.raw`[^\p{White_Space}\p{Cc}\p{Cs}+]+`
const SIGNATURE_LINE = new RegExp(`^\u2014 (${NAME}) ([A-Za-z0-9+/=]+)$`, 'u')
const VERIFIER_KEY = new RegExp(`^(${NAME})\\+([0-9a-f]{8})\\+([A-Za-z0-9+/=]+)$`, 'u')
const MAX_KEY_LENGTH = 1000

/** One signature of a note, as it stands there. */
export interface NoteSignature {
  name: string
  /** Unsigned, 32 bits. */
  keyId: number
  /** What follows the key ID. */
  signature: Bytes
}

/** A note that was read; nothing in it is to be trusted before a signature was checked. */
export interface Note {
  /** Ends in a newline. */
  text: string
  /** At least one. */
  signatures: NoteSignature[]
}

/** A public key with the name that it signs under. */
export interface VerifierKey {
  name: string
  keyId: number
  /** One of `SIGNATURE_TYPE`. */
  type: number
  /** Ed25519, 32 bytes. */
  publicKey: Bytes
}

/** A signature that was checked. */
export interface CheckedSignature extends NoteSignature {
  key: VerifierKey
  /** Seconds since 1970 UTC; null for other signatures than those of witnesses. */
  time: number | null
}

/** A private key, wherever it lies. */
export interface NoteSigner {
  name: string
  keyId: number
  /** Ed25519 signature of the message, 64 bytes. */
  sign(message: Bytes): Promise<Bytes>
}

/**
 * Reads a signed note without checking a signature.
 * @throws ProofError `log_note`.
 * @see c2sp.org/signed-note, "Format"
 */
export function parseNote(note: string): Note {
  if (note.length > MAX_NOTE_LENGTH) refuse('log_note', 'too long')
  const end = note.lastIndexOf('\n\n') + 1
  if (end === 0 || !note.endsWith('\n') || end + 1 === note.length) refuse('log_note', 'no signatures')
  const text = note.slice(0, end)
  checkText(text)
  const lines = note.slice(end + 1, -1).split('\n', MAX_SIGNATURES + 1)
  if (lines.length > MAX_SIGNATURES) refuse('log_note', 'too many signatures')
  return { text, signatures: lines.map(parseSignatureLine) }
}

/** Writes a signed note. @throws ProofError `log_note` for what could not be read again. c2sp.org/signed-note, "Format". */
export function formatNote(text: string, signatures: readonly NoteSignature[]): string {
  const note = `${text}\n${signatures.map(formatSignatureLine).join('')}`
  if (parseNote(note).text !== text) refuse('log_note', 'the text does not end in a newline')
  return note
}

/** One line `— name signature`, with its newline. c2sp.org/signed-note, "Signatures". */
export function formatSignatureLine({ name, keyId, signature }: NoteSignature): string {
  return `\u2014 ${name} ${toBase64(joinBytes(writeKeyId(keyId), signature))}\n`
}

/** Reads a signature line, without its newline. @throws ProofError `log_note`. c2sp.org/signed-note, "Signatures". */
export function parseSignatureLine(line: string): NoteSignature {
  const [, name = '', base64 = ''] = SIGNATURE_LINE.exec(line) ?? []
  // a line that others wrote is no reason to refuse the note, and its bits are checked by the signature alone
  const bytes = fromLooseBase64(base64)
  if (!bytes || bytes.length <= 4) return refuse('log_note', 'signature line')
  return { name, keyId: new DataView(bytes.buffer).getUint32(0), signature: bytes.slice(4) }
}

/**
 * Signs a text by each of the signers. Witnesses sign with `cosign` instead.
 * @throws ProofError `log_note` for a text that no note can have.
 * @see c2sp.org/signed-note, "Ed25519 signatures"
 */
export async function signNote(text: string, signers: readonly NoteSigner[]): Promise<string> {
  checkText(text)
  const message = writeUtf8(text)
  const signatures = await Promise.all(
    signers.map(async (signer) => ({ name: signer.name, keyId: signer.keyId, signature: await signer.sign(message) })),
  )
  return formatNote(text, signatures)
}

/**
 * Reads a signed note and checks every signature by a known key; others are ignored, as many as there are.
 * @returns the text and the signatures that are right, at least one.
 * @throws ProofError `log_note`; `log_signature` when a known key's signature is wrong; `log_trust` when no known key signed;
 *   `unsupported`.
 * @see c2sp.org/signed-note, "Signatures"
 */
export async function openNote(
  note: string,
  keys: readonly VerifierKey[],
): Promise<{ text: string; signatures: CheckedSignature[] }> {
  const { text, signatures } = parseNote(note)
  const checked: CheckedSignature[] = []
  for (const signature of signatures) {
    const [key, other] = keys.filter(({ name, keyId }) => name === signature.name && keyId === signature.keyId)
    if (other) refuse('log_note', `two keys are named ${signature.name}`)
    if (key) checked.push(await checkSignature(text, signature, key))
  }
  if (checked.length === 0) refuse('log_trust', 'no known key signed')
  return { text, signatures: checked }
}

async function checkSignature(text: string, found: NoteSignature, key: VerifierKey): Promise<CheckedSignature> {
  const isTimed = key.type === SIGNATURE_TYPE.cosignature
  const timed = isTimed ? readTimedSignature(found.signature) : { time: null, signature: found.signature }
  if (!timed) return refuse('log_signature', `time of the signature by ${key.name}`)
  const message = timed.time === null ? writeUtf8(text) : writeCosignedMessage(timed.time, text)
  const isRight = await verifyEd25519(key.publicKey, message, timed.signature)
  if (!isRight) refuse('log_signature', `wrong signature by ${key.name}`)
  return { ...found, key, time: timed.time }
}

/**
 * The verifier key of an Ed25519 public key, such as `example.com/foo+530d903a+AekyeR…`.
 * @param type One of `SIGNATURE_TYPE`: the key of a witness is another one than that of a log.
 * @throws ProofError `log_note`.
 * @see c2sp.org/signed-note, "Verifier keys"
 */
export function formatVerifierKey(name: string, publicKey: Bytes, type: number = SIGNATURE_TYPE.ed25519): string {
  const id = computeKeyId(name, publicKey, type).toString(16).padStart(8, '0')
  const key = `${name}+${id}+${toBase64(joinBytes(Uint8Array.of(type), publicKey))}`
  parseVerifierKey(key)
  return key
}

/**
 * Reads a verifier key in its one form.
 * @throws ProofError `log_note`, also for a key ID that is not the key's, and for other types than `SIGNATURE_TYPE`.
 * @see c2sp.org/signed-note, "Verifier keys"
 */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', id, base64 = ''] = (text.length <= MAX_KEY_LENGTH && VERIFIER_KEY.exec(text)) || []
  const [type, ...key] = fromBase64(base64) ?? []
  if (type !== SIGNATURE_TYPE.ed25519 && type !== SIGNATURE_TYPE.cosignature) return refuse('log_note', 'verifier key')
  const publicKey = Uint8Array.from(key)
  const keyId = computeKeyId(name, publicKey, type)
  if (publicKey.length !== PUBLIC_KEY_BYTES || keyId.toString(16).padStart(8, '0') !== id) {
    refuse('log_note', 'verifier key')
  }
  return { name, keyId, type, publicKey }
}

/**
 * The 32 bits that name a key beside its name: the first of SHA-256(name || 0x0A || type || public key).
 * @see c2sp.org/signed-note, "Signatures"
 */
export function computeKeyId(name: string, publicKey: Bytes, type: number = SIGNATURE_TYPE.ed25519): number {
  const hash = hashSha256(joinBytes(writeUtf8(`${name}\n`), Uint8Array.of(type), publicKey))
  return new DataView(hash.buffer).getUint32(0)
}

function writeKeyId(keyId: number): Bytes {
  const view = new DataView(new ArrayBuffer(4))
  view.setUint32(0, keyId)
  return new Uint8Array(view.buffer)
}

/** @throws ProofError `log_note`. Control characters other than newlines, and what has no UTF-8, are no text of a note. */
function checkText(text: string): void {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (/[\0-\x09\x0B-\x1F]/.test(text) || !text.isWellFormed()) refuse('log_note', 'a character that no note may have')
}
