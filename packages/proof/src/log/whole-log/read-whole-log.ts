import { areEqual, toHex, type Bytes } from '../../bytes.ts'
import { parseCanonicalJson, readMembers, type JsonValue } from '../../canonical-json.ts'
import { refuse, type ProofErrorCode } from '../../errors.ts'
import { readUtf8 } from '../../utf8.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { listReferences } from '../list-references.ts'
import { readKnownStatement, type Statement, type StatusStatement } from '../statements.ts'
import {
  findStatusPage,
  MAX_CLOCKS_DIFFER_SECONDS,
  MAX_LATER_ENTRIES,
  type OpenedStatusPage,
  type StatusPage,
} from '../status-page.ts'
import { addLeaf, hashLeaf, hashPeaks } from '../tree.ts'
import { openApprovalStates } from './approval-states.ts'
import { comparePage, matchPage } from './expected-page.ts'
import { openFindings } from './gather-findings.ts'
import type { LogFinding } from './log-findings.ts'
import { MAX_SOON_SECONDS, openPageHistory } from './page-history.ts'
import { openSeenCommitments } from './seen-commitments.ts'

/** What is known of a log before its entries are read. Signatures were checked by whoever opened these. */
export interface LogQuestion {
  /** The head that the entries have to give. */
  newest: Checkpoint
  /** A head of this log that was seen at another time, not larger than `newest`; null where none is remembered. */
  remembered: Checkpoint | null
  /** The pages that are served, as `openStatusPage` reads them; none of a larger head than `newest`. */
  pages: readonly ServedPage[]
  /** What is served in the place of other pages, and why `openStatusPage` refuses it. */
  unusable: readonly { page: number; code: ProofErrorCode }[]
  /** Whether those signed the head who have to, as the policy says. */
  isWitnessed: boolean
  /** Seconds since 1970 UTC. */
  now: number
}

/** Of a served page what is compared with the log. */
export type ServedPage = Pick<OpenedStatusPage, keyof StatusPage | 'index' | 'checkpoint'>

/** What was found of one page. */
export interface PageReport {
  page: number
  /** How often it was made. */
  made: number
  /** The one that is served; null where there is none. `revoked`: how many of its bits are 1. */
  served: { index: number; size: number; time: number; revoked: number } | null
}

/** What a whole log says, and whether it adds up. */
export interface LogReport {
  origin: string
  size: number
  /** As worked out from the entries; lower-case hex. */
  root: string
  /** Size of the head that was remembered; null where none was. */
  rememberedSize: number | null
  /** How many entries there are of each kind that is known. */
  kinds: Record<string, number>
  pages: PageReport[]
  findings: LogFinding[]
}

/** Reads a log from its first entry to its last. */
export interface WholeLog {
  /** Takes the next entry. @throws ProofError `log_range` for more than the head has. */
  add(entry: Bytes): void
  /** @throws ProofError `log_range` for fewer entries than the head has. */
  finish(): LogReport
}

/**
 * How often pages are tried, by the number of entries before: an honest log takes one or two tries for each change at most, a hostile
 * one could make each page take a second.
 */
const MAX_TRIES = 10_000
const TRIES_EACH = 4

/** A head whose root is compared when the entries reach its size. */
interface ExpectedHead {
  checkpoint: Checkpoint
  code: 'root' | 'rewritten'
}

/**
 * Reads all entries of a log, one after the other, and works out from them alone: the root that its head should have; whether it
 * continues a head from before; and what each page of revocations should say. So it sees what verifiers of one document cannot: a
 * bit that is false. It remembers of each approval when it ends, whether it counts, and 16 bytes of its commitment.
 * @see RFC 9162 section 2.1.1 (roots), section 1.1 and 8.2 (who reads whole logs)
 */
export function readWholeLog({ newest, remembered, pages, unusable, isWitnessed, now }: LogQuestion): WholeLog {
  const findings = openFindings()
  const states = openApprovalStates()
  const history = openPageHistory(findings)
  const commitments = openSeenCommitments()
  const kinds: Record<string, number> = {}
  const row: Bytes[] = []
  let size = 0
  let latest = 0
  let tried = 0

  const heads: ExpectedHead[] = [
    { checkpoint: newest, code: 'root' },
    ...pages.map(({ checkpoint }) => ({ checkpoint, code: 'root' as const })),
  ]
  if (remembered) heads.push({ checkpoint: remembered, code: 'rewritten' })
  const headsBySize = Map.groupBy(heads, ({ checkpoint }) => checkpoint.size)
  const pagesByIndex = Map.groupBy(pages, ({ index }) => index)

  /** Of several pages that are shown under one head its root is compared once. */
  function compareHeads(): void {
    const met = headsBySize.get(size)
    if (!met) return
    const found = hashPeaks(row)
    const told = new Set<string>()
    for (const { checkpoint, code } of met) {
      const signed = toHex(checkpoint.root)
      if (areEqual(checkpoint.root, found) || told.has(code + signed)) continue
      told.add(code + signed)
      findings.add(code, { size, signed, found: toHex(found) })
    }
  }

  function checkTime(index: number, time: number): void {
    if (time > now + MAX_CLOCKS_DIFFER_SECONDS) findings.add('time_ahead', { index, time })
    else if (time < latest - MAX_CLOCKS_DIFFER_SECONDS) findings.add('time_backwards', { index, time, before: latest })
    else latest = Math.max(latest, time)
  }

  function compareServed(served: ServedPage): void {
    const expected = states.expectPage(served.page, served.size, served.time)
    const { missing, extra } = comparePage(served.page, served.bits, expected)
    for (const index of missing) findings.add('bits_missing', { index, page: served.page, status: served.index })
    for (const index of extra) findings.add('bits_extra', { index, page: served.page, status: served.index })
  }

  function compareLogged(index: number, { page, size: from, time, hash }: StatusStatement): void {
    // The page is made before its own entry, and of a part that the log had by then.
    if (from > index || page > findStatusPage(Math.max(from - 1, 0))) {
      return findings.add('status_shape', { index, page, size: from })
    }
    history.addPage(page, from, index, time)
    if (index + 1 - from > MAX_LATER_ENTRIES) return findings.add('status_far', { index, page, size: from })
    // One that is served is compared bit by bit, which says which.
    if (pagesByIndex.has(index)) return
    const { isRight, tries } = matchPage(
      hash,
      states.expectPage(page, from, time),
      MAX_TRIES + TRIES_EACH * index - tried,
    )
    tried += tries
    if (isRight === true) return
    findings.add(isRight === false ? 'page_false' : 'status_unsure', { index, page, size: from, time })
  }

  function read(index: number, statement: Statement): void {
    const { kind, time } = statement
    if ((kind === 'genesis') !== (index === 0)) findings.add('beginning', { index })
    else if (kind === 'genesis' && statement.origin !== newest.origin) {
      findings.add('beginning', { index, origin: statement.origin })
    }
    checkTime(index, time)
    switch (kind) {
      case 'approve':
        if (!commitments.meet(statement.commitment)) findings.add('approval_twice', { index })
        states.addApproval(index, statement.expiryDay)
        history.addApproval(index, time)
        break
      case 'revoke':
      case 'reinstate':
      case 'amend': {
        const { ref } = statement
        if (ref >= index || !states.isApproval(ref)) findings.add('ref_wrong', { index, ref })
        if (ref >= index) break
        history.addChange(ref, index, time)
        if (!states.addChange(index, statement)) findings.add('change_twice', { index, ref })
        break
      }
      case 'status':
        compareLogged(index, statement)
        break
      case 'genesis':
      case 'key':
        break
    }
  }

  function readUnknown(index: number, entry: Bytes): void {
    const { k, v } = readMembers(parseCanonicalJson(readUtf8(entry) ?? '')) ?? {}
    findings.add('kind_unknown', { index, kind: readName(k), version: typeof v === 'number' ? v : null })
    for (const ref of listReferences(entry)) if (ref < index) states.blur(ref)
    if (index === 0) findings.add('beginning', { index })
  }

  for (const { page, code } of unusable) findings.add('page_unusable', { page, code })
  if (!isWitnessed) findings.add('not_witnessed', { size: newest.size })
  compareHeads()
  return {
    add(entry) {
      if (size === newest.size) refuse('log_range', `more entries than ${size}`)
      const index = size
      for (const served of pagesByIndex.get(index) ?? []) compareServed(served)
      const statement = readKnownStatement(entry)
      if (statement) {
        kinds[statement.kind] = (kinds[statement.kind] ?? 0) + 1
        read(index, statement)
      } else readUnknown(index, entry)
      addLeaf(row, size, hashLeaf(entry))
      size += 1
      compareHeads()
    },
    finish() {
      if (size !== newest.size) refuse('log_range', `${size} entries of ${newest.size}`)
      const servedByPage = new Map(pages.map((served) => [served.page, served]))
      const reports = history.finish(now).map(({ page, made, newest: last, isDue }): PageReport => {
        const served = servedByPage.get(page)
        if (!served) {
          if (isDue && unusable.every((one) => one.page !== page)) findings.add('page_missing', { page })
          return { page, made, served: null }
        }
        // Its own head has a newer one already, or the newer one has been there for longer than any copy is kept.
        const isKept = last && last.index >= served.checkpoint.size && now - last.time <= MAX_SOON_SECONDS
        if (last && served.index < last.index && !isKept) {
          findings.add('page_replaced', { page, index: served.index, newest: last.index })
        }
        const { index, size: from, time, bits } = served
        return { page, made, served: { index, size: from, time, revoked: countBits(bits) } }
      })
      return {
        origin: newest.origin,
        size,
        root: toHex(hashPeaks(row)),
        rememberedSize: remembered?.size ?? null,
        kinds,
        pages: reports,
        findings: findings.list(),
      }
    },
  }
}

/** Names of kinds are for people to read, and come from the entry. */
const MAX_NAME_LENGTH = 40

const readName = (k: JsonValue | undefined): string | null =>
  typeof k === 'string' ? k.slice(0, MAX_NAME_LENGTH) : null

function countBits(bits: Uint8Array): number {
  let count = 0
  for (let byte of bits) for (; byte > 0; byte >>= 1) count += byte & 1
  return count
}
