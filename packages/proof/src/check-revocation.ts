import { refuse } from './errors.ts'
import type { Finding } from './finding.ts'
import type { InstancePolicy } from './instance-policy.ts'
import { isWitnessed, listIndependent } from './list-independent.ts'
import type { OpenedCheckpoint } from './log/open-checkpoint.ts'
import {
  findStatusPage,
  MAX_CLOCKS_DIFFER_SECONDS,
  MAX_STATUS_AGE_SECONDS,
  openStatusPage,
  type OpenedStatusPage,
} from './log/status-page.ts'
import { continuesTree, countNeeded, findStanding, hasApproval, type LoggedApproval } from './log/status-standing.ts'
import { findFirstSeen } from './log/time-rule.ts'
import { parseTlogProof } from './log/tlog-proof.ts'

/** Where status pages are read from, and what is remembered of those that were seen. */
export interface StatusSource {
  /** @returns undefined where there is none, or nobody answers. */
  read(page: number): Promise<string | undefined>
  /**
   * Remembers that what was shown of a page of this log stands in trees of so many entries and more, if nothing that was seen before
   * needs a larger one.
   * @returns the most that was needed before; undefined for the first.
   */
  meet?(origin: string, page: number, size: number): Promise<number | undefined>
}

/** What a document is judged by. */
export interface DocumentQuestion {
  policy: InstancePolicy
  /** Milliseconds since 1970 UTC at which it is to count. */
  now: number
  /**
   * Whether somebody asks about that time: then it has to lie after the approval, too. Unless so it is what a clock says, which
   * may be slow: what is in hand was approved.
   */
  isAsked?: boolean
  /** The page of the entry, as `formatStatusPage` writes it, or where to get it; without it, nothing is known of a revocation. */
  statusPage?: string | StatusSource
}

/** An approval with the tree that its file brings along, and the signed head of that. */
export interface LoggedDocument extends LoggedApproval {
  opened: OpenedCheckpoint
  head: string
}

/**
 * Whether a document was revoked, by the page of its entry and all that the log has after it.
 * @throws ProofError those of `openStatusPage`; `log_status` for a page of another log.
 */
export async function checkRevocation(
  document: LoggedDocument,
  { policy, now, isAsked = false, statusPage: given }: DocumentQuestion,
): Promise<Finding<true>> {
  const source = typeof given === 'string' ? undefined : given
  const text =
    typeof given === 'string' ? given : await source?.read(findStatusPage(document.index)).catch(() => undefined)
  if (text === undefined) return { state: 'unknown', code: 'no_status' }
  const status = await openStatusPage(text, policy.log)
  const { origin, size } = status.checkpoint
  if (origin !== document.opened.checkpoint.origin) refuse('log_status', 'the page of another log')
  const isContinued = continuesTree(status, document.opened.checkpoint)
  if (isContinued === false || hasApproval(status, document) === false) {
    // both are signed by the log: together they prove that it shows others another past, whoever keeps them
    return {
      state: 'unknown',
      code: 'log_consistency',
      details: { heads: [document.head, parseTlogProof(text).checkpoint] },
    }
  }
  const seenAt = findSeen(status, policy)
  const clock = Math.floor(now / 1000)
  const describe = (asOf: number) => ({ asOf, size, page: status.page })
  // what claims to be from the future is no newer than now; of a time that is asked about no more is told
  const details = describe(Math.min(seenAt ?? status.time, clock))
  const met = await source?.meet?.(origin, status.page, countNeeded(status)).catch(() => undefined)
  if ((met ?? 0) > size) return { state: 'unknown', code: 'status_replayed', details }
  const standing = findStanding(status, document, { seenAt: seenAt ?? status.time, now: clock })
  if (!standing) return { state: 'unknown', code: 'status_silent', details }
  const { isRevoked, asOf, since, isUnclear } = standing
  // what is known may have come about only after the time that is asked about
  if (isAsked && since * 1000 > now) {
    return { state: 'unknown', code: 'status_later', details: { ...describe(since), isRevoked } }
  }
  if (isRevoked) return { state: 'failed', code: 'revoked', details: describe(Math.min(asOf, clock)) }
  if (isUnclear) return { state: 'unknown', code: 'newer', details }
  // it would not grow old, and withhold later revocations; what was seen after a time that is asked about tells of that, too
  if (!isAsked && asOf - now / 1000 > MAX_CLOCKS_DIFFER_SECONDS) {
    return { state: 'unknown', code: 'status_ahead', details: describe(asOf) }
  }
  // whoever signs a tree for one reader alone leaves the revocation out of it, or the document out of the one that all others
  // see; where nobody else signs, the document has that remark
  const isSeen = isWitnessed(status, policy) && (policy.independentWitnesses.length === 0 || seenAt !== undefined)
  if (!isSeen || (isContinued !== true && !isWitnessed(document.opened, policy))) {
    return { state: 'unknown', code: 'status_unwitnessed', details }
  }
  // it was given out before the document was, which nobody need have kept back
  if (size < document.opened.checkpoint.size) return { state: 'unknown', code: 'status_behind', details }
  // also of the page itself: an expiry that was moved before it may have passed since
  const isOld = clock - Math.min(asOf, status.time) > MAX_STATUS_AGE_SECONDS
  return isOld ? { state: 'unknown', code: 'status_old', details } : { value: true, details }
}

/** When the first independent witness saw the tree of a page; undefined where none says so. */
function findSeen(status: OpenedStatusPage, policy: InstancePolicy): number | undefined {
  return findFirstSeen(listIndependent(status, policy).value ?? [])
}
