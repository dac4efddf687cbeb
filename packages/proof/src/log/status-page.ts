import { fromBase64Url, toBase64Url } from '../base64.ts'
import { areEqual, type Bytes } from '../bytes.ts'
import { formatCanonicalJson, isTextList, parseCanonicalJson, readMembers, type JsonValue } from '../canonical-json.ts'
import { refuse } from '../errors.ts'
import { ANSWER_MAX_BYTES } from '../read-answer.ts'
import { hashSha256 } from '../sha256.ts'
import { readUtf8, writeUtf8 } from '../utf8.ts'
import { openCheckpoint, type OpenedCheckpoint } from './open-checkpoint.ts'
import type { Policy } from './policy.ts'
import { formatStatement, type StatusStatement } from './statements.ts'
import { MAX_ENTRY_BYTES } from './tiles.ts'
import { formatTlogProof, parseTlogProof, type TlogProof } from './tlog-proof.ts'
import { computeGrownRoot, hashLeaf, verifyInclusion } from './tree.ts'

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

/** Entries that a page brings along, at most: some 200 kB of them. An instance shows each page under a head that is no further on. */
export const MAX_LATER_ENTRIES = 1024

/** The first version did not bring what came after it: whoever runs the log could show one from before a revocation. */
const VERSION = 2

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

/** What the log has beside a page, up to the head that it is shown under. */
export interface AfterPage {
  /** The tree of the page's `size`, as `computeGrownRoot` takes it. */
  peaks: readonly Bytes[]
  /** All entries from `size` on; the page's own is among them. */
  later: readonly Bytes[]
}

/** A page that the log has. */
export interface OpenedStatusPage extends StatusPage, AfterPage, OpenedCheckpoint {
  /** Place of its own entry. */
  index: number
}

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
 * `{"b":"…","e":["{…}"],"h":["…"],"n":70000,"p":0,"t":1764028800,"v":2}` in the one form of JSON: `b` the bits and `h` the peaks in
 * base64url, `e` the entries from `n` on.
 * @throws ProofError `log_status`, `log_statement`, `log_proof`.
 * @see c2sp.org/tlog-proof, "Format"; RFC 8785
 */
export function formatStatusPage(status: StatusPage & AfterPage, proof: Omit<TlogProof, 'extra'>): string {
  formatStatement(makeStatusStatement(status))
  const { page, size, time, bits, peaks, later } = status
  const e = later.map((entry) => readUtf8(entry) ?? refuse('log_status', 'an entry that is no text'))
  const h = peaks.map(toBase64Url)
  const members = formatCanonicalJson({ b: toBase64Url(bits), e, h, n: size, p: page, t: time, v: VERSION })
  const extra = writeUtf8(members ?? refuse('log_status', 'page'))
  readStatus(extra)
  const text = formatTlogProof({ ...proof, extra })
  checkLength(text)
  return text
}

/**
 * Reads a page and makes sure that the log has it, and of all that came after it up to the head that it is shown under, that nothing
 * was left out.
 * @throws ProofError `log_status`, `log_proof`, `log_statement`, `log_inclusion`, `newer`, and those of `openCheckpoint`.
 * @see c2sp.org/tlog-proof, "Verifying a tlog proof"
 */
export async function openStatusPage(text: string, policy: Policy): Promise<OpenedStatusPage> {
  checkLength(text)
  const { index, path, checkpoint: note, extra } = parseTlogProof(text)
  const status = readStatus(extra ?? refuse('log_status', 'no page'))
  const { later, size: from } = status
  // the page is made before its own entry, so it cannot speak of it
  if (from > index) refuse('log_status', 'a page about entries to come')
  const opened = await openCheckpoint(note, policy)
  const { size, root } = opened.checkpoint
  if (size - from !== later.length) refuse('log_status', `${later.length} entries from ${from} to ${size}`)
  const leafHashes = later.map(hashLeaf)
  const leafHash = hashLeaf(formatStatement(makeStatusStatement(status)))
  verifyInclusion({ index, size, leafHash, path, root })
  if (!areEqual(computeGrownRoot({ size: from, peaks: status.peaks, leafHashes }), root)) {
    refuse('log_inclusion', 'the entries lead to another root')
  }
  const own = leafHashes[index - from]
  if (!own || !areEqual(own, leafHash)) refuse('log_inclusion', 'another entry stands in the place of the page')
  return { ...status, index, ...opened }
}

function checkLength(text: string): void {
  if (text.length > ANSWER_MAX_BYTES) refuse('log_status', `a page of ${text.length} characters`)
}

function readStatus(extra: Bytes): StatusPage & AfterPage {
  const members = readMembers(parseCanonicalJson(readUtf8(extra) ?? '')) ?? refuse('log_status', 'page')
  const { b, e, h, n, p, t, v, ...others } = members
  if (typeof v === 'number' && v > VERSION) refuse('newer', `version ${v} of a page`)
  const bits = typeof b === 'string' ? fromBase64Url(b) : undefined
  const [later, peaks] = [readEntries(e), readPeaks(h)]
  const isRight = v === VERSION && typeof n === 'number' && typeof p === 'number' && typeof t === 'number'
  if (!isRight || !bits || !later || !peaks || Object.keys(others).length > 0) return refuse('log_status', 'page')
  return { page: p, size: n, time: t, bits, peaks, later }
}

function readEntries(value: JsonValue | undefined): Bytes[] | undefined {
  if (!isTextList(value) || value.length > MAX_LATER_ENTRIES) return undefined
  const entries = value.map(writeUtf8)
  return entries.every(({ length }) => length <= MAX_ENTRY_BYTES) ? entries : undefined
}

/** How many there may be, and of what length, `computeGrownRoot` knows. */
function readPeaks(value: JsonValue | undefined): Bytes[] | undefined {
  if (!isTextList(value)) return undefined
  const peaks = value.map(fromBase64Url)
  return peaks.every((peak) => peak !== undefined) ? peaks : undefined
}

/**
 * What the bit of an entry says: whether it was revoked when the page was made. What came later, `findStanding` heeds.
 * @returns undefined when the page has no bit for it.
 * @see W3C Bitstring Status List section 3.2
 */
export function readStatusBit({ page, size, bits }: StatusPage, index: number): boolean | undefined {
  if (findStatusPage(index) !== page || index >= size) return undefined
  const at = index % PAGE_ENTRIES
  return (bits[at >> 3]! & (0x80 >> (at & 7))) !== 0
}
