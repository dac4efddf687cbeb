import { areEqual, type Bytes } from '../bytes.ts'
import type { Checkpoint } from './checkpoint.ts'
import { listReferences } from './list-references.ts'
import { readKnownStatement, SECONDS_PER_DAY, type Statement } from './statements.ts'
import { findStatusPage, readStatusBit, type OpenedStatusPage } from './status-page.ts'
import { computeGrownRoot, hashLeaf } from './tree.ts'

/** An approval as its file tells it. */
export interface LoggedApproval {
  /** Place of its entry. */
  index: number
  leafHash: Bytes
  /** Days since 1970 UTC; null when it never ends. */
  expiryDay: number | null
}

/** How an approval stands by a page and all that came after it. Times are seconds since 1970 UTC. */
export interface Standing {
  /** Also when its expiry was moved to before the one that it was approved with, and is over. */
  isRevoked: boolean
  /** Up to when that is known. */
  asOf: number
  /** From when on that is known to have been so: what it was before then, does not follow. */
  since: number
  /** Something came after the page that refers to it, of a kind that is not known here. */
  isUnclear: boolean
}

/** What came after a page about one approval; times as the issuer states them. */
interface LaterNews {
  /** The last revocation or reinstatement. */
  revoked?: { isRevoked: boolean; time: number }
  /** The last day to which its expiry was moved. */
  moved?: { expiryDay: number; time: number }
  /** Of the latest. */
  latest?: number
  isUnclear: boolean
}

/**
 * How an approval stands by a page and the entries that came after it. A reinstatement among them clears no bit: the approval may have
 * been revoked and ended early; the next page tells.
 * @param seenAt When the head was there, in seconds since 1970 UTC: as the first witness says, else as the page states.
 * @param now The second for which it is asked.
 * @returns undefined when they say nothing about it.
 */
export function findStanding(
  status: OpenedStatusPage,
  approval: LoggedApproval,
  { seenAt, now }: { seenAt: number; now: number },
): Standing | undefined {
  const { index, expiryDay } = approval
  if (findStatusPage(index) !== status.page || index >= status.checkpoint.size) return undefined
  const { revoked, moved, latest, isUnclear } = findLaterNews(status, index)
  const madeAt = Math.min(status.time, seenAt)
  if (readStatusBit(status, index) === true) return { isRevoked: true, asOf: madeAt, since: madeAt, isUnclear }
  const from = (...times: number[]) => Math.max(seenAt, ...times)
  if (revoked?.isRevoked) {
    const asOf = from(revoked.time)
    return { isRevoked: true, asOf, since: asOf, isUnclear }
  }
  const end = moved && moved.expiryDay * SECONDS_PER_DAY
  if (moved && end !== undefined && end <= now && moved.expiryDay < (expiryDay ?? Infinity)) {
    const asOf = from(moved.time, end)
    return { isRevoked: true, asOf, since: asOf, isUnclear }
  }
  // where nothing came about it, it stood so from the page on
  return { isRevoked: false, asOf: seenAt, since: latest === undefined ? madeAt : from(latest), isUnclear }
}

function findLaterNews({ later }: OpenedStatusPage, index: number): LaterNews {
  const news: LaterNews = { isUnclear: false }
  for (const entry of later) {
    if (!listReferences(entry).includes(index)) continue
    const statement = readKnownStatement(entry)
    if (!statement) news.isUnclear = true
    else addNews(news, statement)
  }
  return news
}

function addNews(news: LaterNews, statement: Statement): void {
  const { kind, time } = statement
  news.latest = Math.max(news.latest ?? time, time)
  if (kind === 'revoke' || kind === 'reinstate') news.revoked = { isRevoked: kind === 'revoke', time }
  // without a day it never ends
  if (kind === 'amend') news.moved = { expiryDay: statement.expiryDay ?? Infinity, time }
}

/**
 * How many entries a tree has at least that hides nothing of what a page showed: its own entry, and the last that refers to an approval
 * on it. Heads grow with every entry, and copies of a page that are kept on the way may be a minute apart.
 */
export function countNeeded({ page, size, index, later }: OpenedStatusPage): number {
  const last = later.findLastIndex((entry) => listReferences(entry).some((ref) => findStatusPage(ref) === page))
  return Math.max(index, size + last) + 1
}

/**
 * Whether the tree of a page begins with another tree of the same log.
 * @returns undefined where the page does not show it.
 */
export function continuesTree(
  { size, peaks, later, checkpoint }: OpenedStatusPage,
  other: Pick<Checkpoint, 'size' | 'root'>,
): boolean | undefined {
  if (other.size >= size && other.size <= checkpoint.size) {
    const leafHashes = later.slice(0, other.size - size).map(hashLeaf)
    return areEqual(computeGrownRoot({ size, peaks, leafHashes }), other.root)
  }
  // of two sizes with one root one is none of a tree: a place in it could stand for another entry
  return areEqual(other.root, checkpoint.root) ? false : undefined
}

/** Whether the approval stands in the tree of a page. @returns undefined where the page does not show it. */
export function hasApproval(
  { size, later }: OpenedStatusPage,
  { index, leafHash }: LoggedApproval,
): boolean | undefined {
  const entry = later[index - size]
  return entry && areEqual(hashLeaf(entry), leafHash)
}
