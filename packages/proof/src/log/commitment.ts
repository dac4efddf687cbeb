import { fromBase64Url, toBase64Url } from '../base64.ts'
import { formatCanonicalJson, parseCanonicalJson, readMembers, type JsonValue } from '../canonical-json.ts'
import type { Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { computeHmacSha256 } from '../hmac.ts'
import { makeProofId, readProofId } from '../proof-id.ts'
import { hashSha256 } from '../sha256.ts'
import { readUtf8, writeUtf8 } from '../utf8.ts'

/** Tells these bytes from those of any other statement. */
const CONTEXT = 'proofdesk/commit/v1\n'

export const SEED_BYTES = 32
const SALT_BYTES = 16
const DIGEST_BYTES = 32

const MAX_TEXT_LENGTH = 10_000
const MAX_DOCUMENTS = 10_000

/** A file that was approved. */
export interface ApprovedDocument {
  /** Lower-case hex. */
  sha256: string
  /** Bytes. */
  size: number
  type: 'application/pdf' | 'image/jpeg' | 'image/png'
}

/** What an approval is about. Every field is committed to, also an empty one: that it is missing tells nothing then. */
export interface ProofFields {
  /** Proof ID, printed form. */
  pid: string
  /** Revision 0 of the certified PDF, then the originals in their order. */
  doc: readonly ApprovedDocument[]
  /** When it was approved and when that ends; `2027-11-25T00:00:00Z`. */
  iat: string
  exp: string | null
  /** Username of the owner. */
  sub: string
  /** Title of the collection. */
  col: string
  /** Username of the reviewer, and the organisation. */
  by: string
  org: string | null
  /** What the reviewer wrote. */
  note: string | null
  /** Digest of the submission that the reviewer decided on, see `digestSubmission`. */
  dig: string | null
}

export type FieldName = keyof ProofFields

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const SHA256_HEX = /^[0-9a-f]{64}$/
const TYPES = ['application/pdf', 'image/jpeg', 'image/png']

const isText = (value: JsonValue) => typeof value === 'string' && value.length <= MAX_TEXT_LENGTH
const isHex = (value: JsonValue) => typeof value === 'string' && SHA256_HEX.test(value)
const orNull = (isRight: (value: JsonValue) => boolean) => (value: JsonValue) => value === null || isRight(value)

/** By name, whether a value can be one of that field. */
const FIELDS: Record<FieldName, (value: JsonValue) => boolean> = {
  pid: (value) => typeof value === 'string' && readProofId(value) === value,
  doc: (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_DOCUMENTS && value.every(isDocument),
  iat: isTime,
  exp: orNull(isTime),
  sub: isText,
  col: isText,
  by: isText,
  org: orNull(isText),
  note: orNull(isText),
  dig: orNull(isHex),
}

function isDocument(value: JsonValue): boolean {
  const { sha256 = null, size, type, ...others } = readMembers(value) ?? {}
  return (
    isHex(sha256) &&
    typeof size === 'number' &&
    size >= 0 &&
    TYPES.includes(type as string) &&
    Object.keys(others).length === 0
  )
}

/** RFC 3339 section 5.6, whole seconds of UTC. */
function isTime(value: JsonValue): boolean {
  if (typeof value !== 'string' || !TIME.test(value)) return false
  const time = Date.parse(value)
  return !Number.isNaN(time) && new Date(time).toISOString() === value.replace('Z', '.000Z')
}

/** All are committed to. One field twice, of which each reader is shown another, would be one more than there are, or take the place of another. */
const FIELD_COUNT = Object.keys(FIELDS).length

/**
 * Commits to the fields of an approval, so that each can be shown or kept back. Whoever has neither the seed nor a
 * disclosure cannot even find out whether a guess is right.
 *
 * A disclosure is base64url of the JSON `[salt, name, value]`, the salt the first 16 bytes of HMAC-SHA-256(seed,
 * "salt:" name); the commitment is SHA-256 of `proofdesk/commit/v1` and the digests of all disclosures, sorted, one a line.
 * @param seed 32 random bytes, of this approval alone, that its Proof ID was made from.
 * @returns the commitment and the digests' originals, one a field, by name.
 * @throws ProofError `log_commitment` for fields that could not be read again, or a Proof ID of another seed.
 * @see RFC 9901 section 4.2 (disclosures), RFC 8785 (JSON)
 */
export function commit(seed: Bytes, fields: ProofFields): { commitment: string; disclosures: string[] } {
  if (seed.length !== SEED_BYTES || fields.pid !== makeProofId(seed)) refuse('log_commitment', 'seed')
  const disclosures = listFieldNames().map((name) => {
    const value = fields[name] as JsonValue
    return FIELDS[name](value) ? makeDisclosure(seed, name, value) : refuse('log_commitment', `field ${name}`)
  })
  return { commitment: combineDisclosures(CONTEXT, disclosures.map(digestDisclosure)), disclosures }
}

/** One field with its salt, which follows from the seed and the field's name. RFC 9901 section 4.2.1. */
export function makeDisclosure(seed: Bytes, name: string, value: JsonValue): string {
  const salt = computeHmacSha256(seed, writeUtf8(`salt:${name}`)).subarray(0, SALT_BYTES)
  const text = formatCanonicalJson([toBase64Url(salt), name, value])
  return toBase64Url(writeUtf8(text ?? refuse('log_commitment', `field ${name}`)))
}

/**
 * The commitment to fields by the digests of their disclosures.
 * @param context A line that tells these bytes from those of any other statement.
 */
export function combineDisclosures(context: string, digests: readonly string[]): string {
  return toBase64Url(hashSha256(writeUtf8(`${context}${digests.toSorted().join('\n')}\n`)))
}

/**
 * The commitment to these fields: what an entry of the log that fits them says.
 * @param hidden `digestDisclosure` of each that is not shown.
 * @throws ProofError `log_commitment`.
 */
export function computeCommitment(shown: readonly string[], hidden: readonly string[]): string {
  if (shown.length + hidden.length !== FIELD_COUNT) refuse('log_commitment', 'too few fields, or too many')
  if (hidden.some((digest) => fromBase64Url(digest)?.length !== DIGEST_BYTES)) refuse('log_commitment', 'digest')
  const digests = [...shown.map(digestDisclosure), ...hidden]
  if (new Set(digests).size !== digests.length) refuse('log_commitment', 'a field twice')
  return combineDisclosures(CONTEXT, digests)
}

/**
 * The fields that are shown, when these and the hidden ones are those that were committed to.
 * @param hidden `digestDisclosure` of each that is not shown.
 * @throws ProofError `log_commitment`.
 */
export function openCommitment(
  commitment: string,
  shown: readonly string[],
  hidden: readonly string[],
): Partial<ProofFields> {
  if (computeCommitment(shown, hidden) !== commitment) refuse('log_commitment', 'not what was committed to')
  return readDisclosures(shown)
}

/** What disclosures say, whether or not somebody committed to it. @throws ProofError `log_commitment`. */
export function readDisclosures(shown: readonly string[]): Partial<ProofFields> {
  const fields = shown.map(readDisclosure)
  if (new Set(fields.map(([name]) => name)).size !== fields.length) refuse('log_commitment', 'a field twice')
  return Object.fromEntries(fields)
}

/** Keeps back the fields of these names: what `openCommitment` takes. @throws ProofError `log_commitment`. */
export function hideFields(
  disclosures: readonly string[],
  names: readonly FieldName[],
): { shown: string[]; hidden: string[] } {
  const isHidden = (disclosure: string) => names.includes(readDisclosure(disclosure)[0])
  return {
    shown: disclosures.filter((disclosure) => !isHidden(disclosure)),
    hidden: disclosures.filter(isHidden).map(digestDisclosure),
  }
}

/** What stands for a field that is not shown: base64url of SHA-256 of its disclosure. RFC 9901 section 4.2.3. */
export function digestDisclosure(disclosure: string): string {
  return toBase64Url(hashSha256(writeUtf8(disclosure)))
}

function listFieldNames(): FieldName[] {
  return (Object.keys(FIELDS) as FieldName[]).sort()
}

function readDisclosure(disclosure: string): [FieldName, JsonValue] {
  const list = parseCanonicalJson(readUtf8(fromBase64Url(disclosure) ?? new Uint8Array()) ?? '')
  if (!Array.isArray(list) || list.length !== 3) return refuse('log_commitment', 'disclosure')
  const [salt, name, value] = list as [JsonValue, JsonValue, JsonValue]
  const isSalt = typeof salt === 'string' && fromBase64Url(salt)?.length === SALT_BYTES
  if (!isSalt || typeof name !== 'string' || !Object.hasOwn(FIELDS, name)) return refuse('log_commitment', 'disclosure')
  if (!FIELDS[name as FieldName](value)) return refuse('log_commitment', `field ${name}`)
  return [name as FieldName, value]
}
