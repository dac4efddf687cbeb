import type { Bytes } from '@proofdesk/proof/bytes'
import { ProofError, type ProofErrorCode } from '@proofdesk/proof/errors'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { isWitnessed } from '@proofdesk/proof/list-independent'
import type { Checkpoint } from '@proofdesk/proof/log/checkpoint'
import { openCheckpoint, type OpenedCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import { findStatusPage, openStatusPage, type OpenedStatusPage } from '@proofdesk/proof/log/status-page'
import { parseEntryBundle } from '@proofdesk/proof/log/tiles'
import { parseTlogProof } from '@proofdesk/proof/log/tlog-proof'
import { decideLogVerdict, type LogVerdict } from '@proofdesk/proof/log/whole-log/log-findings'
import { readWholeLog, type LogReport, type ServedPage } from '@proofdesk/proof/log/whole-log/read-whole-log'
import { UnreadFile } from '../read-named.ts'
import { UnreadLog, type LogSource } from './log-source.ts'

/** What a log is judged by. */
export interface LogTerms {
  policy: InstancePolicy
  /** Milliseconds since 1970 UTC. */
  now: number
  /** A head of this log from before; null where none is remembered. */
  remembered: Checkpoint | null
}

/** What came of reading a whole log. */
export interface LogJudgement {
  verdict: LogVerdict
  /** Milliseconds since 1970 UTC. */
  at: number
  policy: { fingerprint: string; organisation: string }
  /** The signed head that was judged. */
  head: string
  /** Witnesses that signed it, by the names of their keys; seconds since 1970 UTC. */
  cosignatures: { name: string; time: number }[]
  report: LogReport
}

/** Entries in a bundle. c2sp.org/tlog-tiles, "Log entries". */
const BUNDLE_ENTRIES = 256

/** Bundles that are asked for at once; the largest possible take 16 MB each. */
const AT_ONCE = 4

/** Of each entry some 60 bytes are remembered, and a head can claim any number. */
const MAX_ENTRIES = 100_000_000

/**
 * Reads a whole log, from its first entry to the largest head that it shows, and each page of revocations that it serves.
 * @throws UnreadFile where the head that was remembered is of another log; UnreadLog where it could not be read to its end; ProofError for a head that no log of the policy signed, and what
 *   `openStatusPage` throws for pages that this program cannot judge.
 */
export async function judgeLog(source: LogSource, { policy, now, remembered }: LogTerms): Promise<LogJudgement> {
  const note = await source.readHead()
  const opened = await openCheckpoint(note, policy.log)
  mustBeReadable(opened.checkpoint)
  if (remembered && remembered.origin !== opened.checkpoint.origin) {
    throw new UnreadFile(`the head that was remembered is of another log, ${remembered.origin}`)
  }
  const served = await readPages(source, policy, { head: note, tree: opened })
  const { head, tree } = served.largest
  const newest = tree.checkpoint
  // Whoever is on the way can show an old one, and so can a cache: the log signed both, which convicts nobody.
  if (remembered && remembered.size > newest.size) {
    throw new UnreadLog(`it shows ${newest.size} entries, and a head of ${remembered.size} was seen before`)
  }
  const log = readWholeLog({
    newest,
    remembered,
    pages: served.pages.map(({ page }) => page),
    unusable: served.unusable,
    isWitnessed: isWitnessed(tree, policy),
    now: Math.floor(now / 1000),
  })
  for await (const entries of readEntries(source, newest.size)) for (const entry of entries) log.add(entry)
  const report = log.finish()
  const { fingerprint, organisation } = policy
  return {
    verdict: decideLogVerdict(report.findings),
    at: now,
    policy: { fingerprint, organisation },
    head,
    cosignatures: tree.cosignatures,
    report,
  }
}

/** @throws UnreadLog */
function mustBeReadable({ size }: Checkpoint): void {
  if (size > MAX_ENTRIES) throw new UnreadLog(`a log of ${size} entries is more than this program reads`)
}

/** A signed head, and what it says. */
interface ShownHead {
  head: string
  tree: OpenedCheckpoint
}

/** A page that can be relied on as far as it goes, and the head that it is shown under. */
interface ShownPage extends ShownHead {
  page: ServedPage
}

/** @returns `largest`: of all heads, since a page that was made just now may be shown under a larger one than the newest was. */
async function readPages(source: LogSource, policy: InstancePolicy, newest: ShownHead) {
  const pages: ShownPage[] = []
  const unusable: { page: number; code: ProofErrorCode }[] = []
  const { origin } = newest.tree.checkpoint
  let largest = newest
  for (let page = 0; page <= findStatusPage(Math.max(largest.tree.checkpoint.size - 1, 0)); page++) {
    const text = await source.readPage(page)
    if (text === undefined) continue
    const shown = await openPage(text, policy)
    const isRight = typeof shown === 'object' && shown.page === page && shown.checkpoint.origin === origin
    if (!isRight) {
      unusable.push({ page, code: typeof shown === 'object' ? 'log_status' : shown })
      continue
    }
    const kept = keepPage(shown, text)
    mustBeReadable(kept.tree.checkpoint)
    pages.push(kept)
    if (kept.tree.checkpoint.size > largest.tree.checkpoint.size) largest = kept
  }
  return { pages, unusable, largest }
}

async function openPage(text: string, policy: InstancePolicy): Promise<OpenedStatusPage | ProofErrorCode> {
  try {
    return await openStatusPage(text, policy.log)
  } catch (error) {
    if (error instanceof ProofError && error.code !== 'newer' && error.code !== 'unsupported') return error.code
    throw error
  }
}

/** Not the entries that it brings along: they are read in their places, and the root that they gave is compared. */
function keepPage({ checkpoint, cosignatures, isQuorumMet, ...status }: OpenedStatusPage, text: string): ShownPage {
  const { page, size, time, bits, index } = status
  return {
    page: { page, size, time, bits, index, checkpoint },
    head: parseTlogProof(text).checkpoint,
    tree: { checkpoint, cosignatures, isQuorumMet },
  }
}

/** Bundles in their order, the next ones being asked for meanwhile. */
async function* readEntries(source: LogSource, size: number): AsyncGenerator<Bytes[]> {
  const asked: Promise<Bytes[]>[] = []
  const count = Math.ceil(size / BUNDLE_ENTRIES)
  for (let next = 0; next < count || asked.length > 0;) {
    while (next < count && asked.length < AT_ONCE) {
      const bundle = readBundle(source, next, Math.min(BUNDLE_ENTRIES, size - next * BUNDLE_ENTRIES))
      // It is looked at when those before it are.
      bundle.catch(() => undefined)
      asked.push(bundle)
      next += 1
    }
    yield await asked.shift()!
  }
}

async function readBundle(source: LogSource, index: number, width: number): Promise<Bytes[]> {
  const bytes = await source.readBundle(index, width)
  try {
    const entries = parseEntryBundle(bytes)
    if (entries.length === width) return entries
    throw new UnreadLog(`${entries.length} entries came for ${width} from ${index * BUNDLE_ENTRIES} on`)
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    throw new UnreadLog(`what came for the entries from ${index * BUNDLE_ENTRIES} on cannot be read: ${error.message}`)
  }
}
