import { fromBase64Url } from '../base64.ts'
import { formatCanonicalJson, parseCanonicalJson, readMembers, type JsonValue } from '../canonical-json.ts'
import type { Bytes } from '../bytes.ts'
import { ProofError, refuse } from '../errors.ts'
import { isSeconds } from '../seconds.ts'
import { readUtf8, writeUtf8 } from '../utf8.ts'
import { MAX_ENTRY_BYTES } from './tiles.ts'
import { HASH_BYTES } from './tree.ts'

/** Seconds since 1970 UTC stand in every entry as `t`, its version as `v`. */
interface Dated {
  time: number
}

/** First entry of every log. */
export interface GenesisStatement extends Dated {
  kind: 'genesis'
  /** Origin of the log's checkpoints. */
  origin: string
}

/** A key comes, goes, or was stolen. */
export interface KeyStatement extends Dated {
  kind: 'key'
  operation: 'add' | 'retire' | 'revoke'
  use: 'log' | 'witness' | 'doc' | 'approver'
  /** SHA-256 of the certificate, or of the public key where it has none; base64url. */
  fingerprint: string
  /** Last good size of the log, for `revoke`. */
  size?: number
}

/** An approval; what it is about is in the commitment. */
export interface ApproveStatement extends Dated {
  kind: 'approve'
  /** From `commit`; base64url. */
  commitment: string
  /** Days since 1970 UTC, see `computeExpiryDay`; absent when it never ends. */
  expiryDay?: number
}

/** An approval is withdrawn, or counts again. */
export interface RevokeStatement extends Dated {
  kind: 'revoke' | 'reinstate'
  /** Commits to the reason; base64url. */
  commitment: string
  /** Index of the approval. */
  ref: number
}

/** The expiry or the document of an approval is changed. */
export interface AmendStatement extends Dated {
  kind: 'amend'
  commitment: string
  /** Index of the approval. */
  ref: number
  expiryDay?: number
}

/** A page of the list of what is revoked, see `status-page.ts`. */
export interface StatusStatement extends Dated {
  kind: 'status'
  /** SHA-256 of the page; base64url. */
  hash: string
  /** Size of the log that the page speaks of. */
  size: number
  page: number
}

/** What an entry of the log says. */
export type Statement =
  | GenesisStatement
  | KeyStatement
  | ApproveStatement
  | RevokeStatement
  | AmendStatement
  | StatusStatement

/** Members are optional where their name ends in `?`. */
type Shape = Record<string, [member: string, isRight: (value: JsonValue) => boolean]>

const VERSION = 1
const MAX_ORIGIN_LENGTH = 255

const isCount = (value: JsonValue) => typeof value === 'number' && value >= 0
const isDay = (value: JsonValue) => typeof value === 'number' && isSeconds(value * SECONDS_PER_DAY)
const isHash = (value: JsonValue) => typeof value === 'string' && fromBase64Url(value)?.length === HASH_BYTES
const isOrigin = (value: JsonValue) =>
  typeof value === 'string' && value.length <= MAX_ORIGIN_LENGTH && /^[^\p{Cc}\p{Cs}]+$/u.test(value)
const isOneOf =
  (...texts: readonly string[]) =>
  (value: JsonValue) =>
    texts.includes(value as string)

const COMMITMENT = { commitment: ['c', isHash] } satisfies Shape
const REFERENCE = { ...COMMITMENT, ref: ['ref', isCount] } satisfies Shape

/** Members of each kind as they stand in the log, besides `k`, `t` and `v`. */
const SHAPES: Record<Statement['kind'], Shape> = {
  genesis: { origin: ['o', isOrigin] },
  key: {
    operation: ['op', isOneOf('add', 'retire', 'revoke')],
    use: ['use', isOneOf('log', 'witness', 'doc', 'approver')],
    fingerprint: ['x5t', isHash],
    'size?': ['size', isCount],
  },
  approve: { ...COMMITMENT, 'expiryDay?': ['x', isDay] },
  revoke: REFERENCE,
  reinstate: REFERENCE,
  amend: { ...REFERENCE, 'expiryDay?': ['x', isDay] },
  status: { hash: ['h', isHash], size: ['n', isCount], page: ['p', isCount] },
}

/**
 * The entry of the log that says this: JSON in its one form, such as
 * `{"c":"…","k":"approve","t":1764028800,"v":1,"x":20782}`.
 * @throws ProofError `log_statement` for what could not be read again.
 * @see RFC 8785
 */
export function formatStatement(statement: Statement): Bytes {
  const given = statement as unknown as Record<string, JsonValue | undefined>
  const members: Record<string, JsonValue> = { k: statement.kind, t: statement.time, v: VERSION }
  for (const [name, [member]] of Object.entries(SHAPES[statement.kind])) {
    const value = given[name.replace('?', '')]
    if (value !== undefined) members[member] = value
  }
  const entry = writeUtf8(formatCanonicalJson(members) ?? refuse('log_statement', 'no JSON'))
  parseStatement(entry)
  return entry
}

/**
 * Reads an entry of the log: known kinds, no other members, JSON in its one form, at most 65,535 bytes.
 * @throws ProofError `log_statement`.
 * @see RFC 8785; c2sp.org/tlog-tiles, "Log entries" (length)
 */
export function parseStatement(entry: Bytes): Statement {
  if (entry.length > MAX_ENTRY_BYTES) refuse('log_statement', 'too long')
  const members = readMembers(parseCanonicalJson(readUtf8(entry) ?? ''))
  if (!members) return refuse('log_statement', 'no JSON in its one form')
  const { k, t, v, ...others } = members
  if (typeof k !== 'string' || !Object.hasOwn(SHAPES, k) || v !== VERSION) return refuse('log_statement', 'kind')
  if (!isSeconds(t)) return refuse('log_statement', 'time')
  const statement = { kind: k, time: t, ...readShape(SHAPES[k as Statement['kind']], others) } as unknown as Statement
  if (statement.kind === 'key' && (statement.operation === 'revoke') !== (statement.size !== undefined)) {
    refuse('log_statement', 'size of a stolen key')
  }
  return statement
}

/** The same; undefined for an entry of a kind or a form that this program does not know. */
export function readKnownStatement(entry: Bytes): Statement | undefined {
  try {
    return parseStatement(entry)
  } catch (error) {
    if (error instanceof ProofError) return undefined
    throw error
  }
}

function readShape(shape: Shape, members: Readonly<Record<string, JsonValue>>): Record<string, JsonValue> {
  const read: Record<string, JsonValue> = {}
  for (const [name, [member, isRight]] of Object.entries(shape)) {
    const value = members[member]
    if (value === undefined && name.endsWith('?')) continue
    if (value === undefined || !isRight(value)) return refuse('log_statement', `member ${member}`)
    read[name.replace('?', '')] = value
  }
  if (Object.keys(read).length !== Object.keys(members).length) refuse('log_statement', 'unknown members')
  return read
}

export const SECONDS_PER_DAY = 86_400

/** The first day, counted from 1970 UTC, on which an approval that ends at this second no longer counts from its start. */
export function computeExpiryDay(seconds: number): number {
  return Math.ceil(seconds / SECONDS_PER_DAY)
}
