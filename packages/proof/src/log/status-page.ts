import { fromBase64Url, toBase64Url } from '../base64.ts'
import type { Bytes } from '../bytes.ts'
import { formatCanonicalJson, parseCanonicalJson, readMembers } from '../canonical-json.ts'
import { refuse } from '../errors.ts'
import { hashSha256 } from '../sha256.ts'
import { readUtf8, writeUtf8 } from '../utf8.ts'
import { openCheckpoint, type OpenedCheckpoint } from './open-checkpoint.ts'
import type { Policy } from './policy.ts'
import { formatStatement, type StatusStatement } from './statements.ts'
import { formatTlogProof, parseTlogProof, type TlogProof } from './tlog-proof.ts'
import { hashLeaf, verifyInclusion } from './tree.ts'

/** Entries on one page, one bit each: so many that asking for a page does not tell for which. W3C Bitstring Status List section 6.1. */
export const PAGE_ENTRIES = 2 ** 17
export const PAGE_BYTES = PAGE_ENTRIES / 8

/**
 * How long a page tells how things are: an instance makes each anew once a day. Of an older one, it is not known what was
 * kept back.
 */
export const MAX_STATUS_AGE_SECONDS = 2 * 24 * 60 * 60

/** A page that claims to be from further ahead than clocks differ says nothing of how it is now. */
export const MAX_CLOCKS_DIFFER_SECONDS = 60 * 60

const VERSION = 1

/** Which entries of a part of the log are revoked. */
export interface StatusPage {
  /** Counts from 0. */
  page: number
  /** Size of the log that the page speaks of: it says nothing about entries from there on. */
  size: number
  /** When it was made: seconds since 1970 UTC, stated by the issuer. */
  time: number
  /** 16,384 bytes; the highest bit of a byte is its first. */
  bits: Bytes
}

/** A page that the log has. */
export interface OpenedStatusPage extends StatusPage, OpenedCheckpoint {}

/** The page on which an entry stands. */
export function findStatusPage(index: number): number {
  return Math.floor(index / PAGE_ENTRIES)
}

/**
 * The bits of a page.
 * @param revoked Indexes of revoked entries; those of other pages are left out.
 * @see W3C Bitstring Status List section 3.3 (order of the bits)
 */
export function writeStatusBits(page: number, revoked: Iterable<number>): Bytes {
  const bits = new Uint8Array(PAGE_BYTES)
  for (const index of revoked) {
    if (findStatusPage(index) !== page) continue
    const at = index % PAGE_ENTRIES
    bits[at >> 3]! |= 0x80 >> (at & 7)
  }
  return bits
}

/** The entry of the log that names a page by its hash. @throws ProofError `log_statement`, `log_status`. */
export function makeStatusStatement({ page, size, time, bits }: StatusPage): StatusStatement {
  if (bits.length !== PAGE_BYTES) refuse('log_status', 'a page has 16,384 bytes')
  return { kind: 'status', hash: toBase64Url(hashSha256(bits)), size, page, time }
}

/**
 * Writes a page as a proof file about its own entry of the log; its `extra` is
 * `{"b":"…","n":70000,"p":0,"t":1764028800,"v":1}` in the one form of JSON, `b` the bits in base64url.
 * @throws ProofError `log_status`, `log_statement`, `log_proof`.
 * @see c2sp.org/tlog-proof, "Format"; RFC 8785
 */
export function formatStatusPage(status: StatusPage, proof: Omit<TlogProof, 'extra'>): string {
  formatStatement(makeStatusStatement(status))
  const { page, size, time, bits } = status
  const members = formatCanonicalJson({ b: toBase64Url(bits), n: size, p: page, t: time, v: VERSION })
  return formatTlogProof({ ...proof, extra: writeUtf8(members ?? refuse('log_status', 'page')) })
}

/**
 * Reads a page and makes sure that the log has it.
 * @throws ProofError `log_status`, `log_proof`, `log_statement`, `log_inclusion`, `newer`, and those of `openCheckpoint`.
 * @see c2sp.org/tlog-proof, "Verifying a tlog proof"
 */
export async function openStatusPage(text: string, policy: Policy): Promise<OpenedStatusPage> {
  const { index, path, checkpoint: note, extra } = parseTlogProof(text)
  const status = readStatus(extra ?? refuse('log_status', 'no page'))
  // the page is made before its own entry, so it cannot speak of it
  if (status.size > index) refuse('log_status', 'a page about entries to come')
  const opened = await openCheckpoint(note, policy)
  const leafHash = hashLeaf(formatStatement(makeStatusStatement(status)))
  const { size, root } = opened.checkpoint
  verifyInclusion({ index, size, leafHash, path, root })
  return { ...status, ...opened }
}

function readStatus(extra: Bytes): StatusPage {
  const members = readMembers(parseCanonicalJson(readUtf8(extra) ?? '')) ?? refuse('log_status', 'page')
  const { b, n, p, t, v, ...others } = members
  if (typeof v === 'number' && v !== VERSION) refuse('newer', `version ${v} of a page`)
  const bits = typeof b === 'string' ? fromBase64Url(b) : undefined
  const isRight = v === VERSION && typeof n === 'number' && typeof p === 'number' && typeof t === 'number'
  if (!isRight || !bits || Object.keys(others).length > 0) return refuse('log_status', 'page')
  return { page: p, size: n, time: t, bits }
}

/**
 * Whether an entry is revoked.
 * @returns undefined when the page says nothing about it.
 * @see W3C Bitstring Status List section 3.2
 */
export function isRevoked({ page, size, bits }: StatusPage, index: number): boolean | undefined {
  if (findStatusPage(index) !== page || index >= size) return undefined
  const at = index % PAGE_ENTRIES
  return (bits[at >> 3]! & (0x80 >> (at & 7))) !== 0
}
