import { areEqual, toHex, type Bytes } from './bytes.ts'
import {
  decideVerdict,
  listRemarks,
  type DocumentVerdict,
  type Remark,
  type Step,
  type StepCode,
  type StepName,
} from './document-verdict.ts'
import { ProofError, refuse, type ProofErrorCode } from './errors.ts'
import { findProofText } from './find-proof-text.ts'
import type { InstancePolicy } from './instance-policy.ts'
import { parseCheckpoint } from './log/checkpoint.ts'
import { computeCommitment, readDisclosures, type ProofFields } from './log/commitment.ts'
import { parseNote } from './log/note.ts'
import { openCheckpoint, type OpenedCheckpoint } from './log/open-checkpoint.ts'
import { parseProofExtra, type ProofExtra } from './log/proof-extra.ts'
import { computeExpiryDay, formatStatement, SECONDS_PER_DAY } from './log/statements.ts'
import {
  findStatusPage,
  isRevoked,
  MAX_CLOCKS_DIFFER_SECONDS,
  MAX_STATUS_AGE_SECONDS,
  openStatusPage,
} from './log/status-page.ts'
import { isAheadOfSeen, judgeTime } from './log/time-rule.ts'
import { parseTlogProof, type TlogProof } from './log/tlog-proof.ts'
import { hashLeaf, verifyInclusion } from './log/tree.ts'
import { readUtf8 } from './utf8.ts'
import { openSeal, verifySigner, type OpenedSeal } from './verify-seal.ts'

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

/** Where status pages are read from, and what is remembered of those that were seen. */
export interface StatusSource {
  /** @returns undefined where there is none, or nobody answers. */
  read(page: number): Promise<string | undefined>
  /**
   * Remembers that a page of this log spoke of so many entries, if none that was seen before spoke of more.
   * @returns the most that any was seen to speak of before; undefined for the first.
   */
  meet?(origin: string, page: number, size: number): Promise<number | undefined>
}

/** All that was found out about a document. */
export interface DocumentReport {
  verdict: DocumentVerdict
  /** What `verdict` does not vouch for. */
  remarks: Remark[]
  /** Every step, in the order of `STEP_NAMES`. */
  steps: Step[]
  /** What was approved, as far as it is shown; null unless the log has it. */
  fields: Partial<ProofFields> | null
}

/** What a step found; without `code` it passed. */
interface Finding<T> {
  value?: T
  details?: Step['details']
  state?: 'failed' | 'unknown'
  code?: StepCode | ProofErrorCode
}

const NOT_REACHED: Finding<never> = { state: 'unknown', code: 'not_reached' }

/** What the proof in a file says, before any of it was checked. */
interface CarriedProof {
  proof: TlogProof
  extra: ProofExtra
}

/** An approval, worked out again from what is shown of it. */
interface Approval {
  fields: Partial<ProofFields>
  leafHash: Bytes
  /** Seconds since 1970 UTC. */
  time: number
  /** The first second at which it no longer counts; null when it never ends. */
  endsAt: number | null
}

/**
 * Verifies a certified PDF from its bytes and the policy of the instance alone, step by step. Whatever the bytes are, it
 * answers and throws nothing.
 * @see c2sp.org/tlog-proof, "Verifying a tlog proof"; RFC 9162 section 2.1.3.2
 */
export async function verifyDocument(file: Bytes, question: DocumentQuestion): Promise<DocumentReport> {
  const { policy } = question
  const steps: Step[] = []
  const seal = await take(steps, 'seal', () => readSeal(file))
  const carried = await take(steps, 'proof', () => (seal ? readProof(seal) : NOT_REACHED))
  const approval = await take(steps, 'entry', () => (seal && carried ? rebuildEntry(seal, carried) : NOT_REACHED))
  const isIncluded = await take(steps, 'inclusion', () =>
    carried && approval ? checkInclusion(carried, approval) : NOT_REACHED,
  )
  const opened = await take(steps, 'checkpoint', () => (carried ? readCheckpoint(carried, policy) : NOT_REACHED))
  const seen = await take(steps, 'witnesses', () => (opened ? listIndependent(opened, policy) : NOT_REACHED))
  await take(steps, 'time', () => (approval && isIncluded && seen ? checkTime(approval, seen) : NOT_REACHED))
  await take(steps, 'signer', () => (seal ? checkSigner(seal, policy) : NOT_REACHED))
  await take(steps, 'expiry', () => (approval ? checkExpiry(approval, question) : NOT_REACHED))
  const logged = carried && isIncluded && opened && { proof: carried.proof, opened }
  await take(steps, 'revocation', () => (logged ? checkRevocation(logged, question) : NOT_REACHED))
  const verdict = decideVerdict(steps, seal !== undefined || findProofText(file) !== 'none')
  return { verdict, remarks: listRemarks(verdict, steps), steps, fields: (logged && approval?.fields) ?? null }
}

/** Takes one step and writes down how it went. @returns what it found; undefined when it did not pass. */
async function take<T>(
  steps: Step[],
  name: StepName,
  run: () => Finding<T> | Promise<Finding<T>>,
): Promise<T | undefined> {
  try {
    const { value, details = {}, state = 'passed', code } = await run()
    steps.push({ name, state, ...(code && { code }), details })
    return value
  } catch (error) {
    // what no reader throws is a fault of the program or the browser, and no finding about the file
    const code = error instanceof ProofError ? error.code : 'unsupported'
    // neither a browser's lack, nor a newer version, nor a broken status page is a fault of the document
    const isSilent = code === 'unsupported' || code === 'newer' || name === 'revocation'
    const details = { message: error instanceof Error ? error.message : String(error) }
    steps.push({ name, state: isSilent ? 'unknown' : 'failed', code, details })
    return undefined
  }
}

async function readSeal(file: Bytes): Promise<Finding<OpenedSeal>> {
  try {
    const seal = await openSeal(file)
    const { revision0Size, revision0Sha256, claimedAt } = seal
    return { value: seal, details: { revision0Size, revision0Sha256, claimedAt: claimedAt / 1000 } }
  } catch (error) {
    if (findProofText(file) === 'newer') refuse('newer', 'layout')
    throw error
  }
}

function readProof({ proof: bytes }: OpenedSeal): Finding<CarriedProof> {
  if (!bytes) return { state: 'failed', code: 'no_proof' }
  const proof = parseTlogProof(readUtf8(bytes) ?? refuse('log_proof', 'no text'))
  const extra = parseProofExtra(proof.extra ?? refuse('log_proof', 'no extra'))
  return { value: { proof, extra }, details: { index: proof.index, layout: extra.layout } }
}

/** Nothing in `extra` is signed: the entry is worked out from it, and only the right one is in the log. */
function rebuildEntry(seal: OpenedSeal, { extra }: CarriedProof): Finding<Approval> {
  const { time, expiryDay, disclosures, hidden } = extra
  const commitment = computeCommitment(disclosures, hidden)
  const fields = readDisclosures(disclosures)
  const entry = formatStatement({ kind: 'approve', commitment, time, ...(expiryDay !== null && { expiryDay }) })
  const leafHash = hashLeaf(entry)
  const details = { commitment, leafHash: toHex(leafHash), time, expiryDay }
  const [document] = fields.doc ?? []
  const isSame = document?.sha256 === seal.revision0Sha256 && document.size === seal.revision0Size
  if (!isSame || document.type !== 'application/pdf') return { state: 'failed', code: 'other_document', details }
  if (!isSameTime(fields, extra) || !isSealedThen(seal, extra)) return { state: 'failed', code: 'other_time', details }
  const value = { fields, leafHash, time, endsAt: findEnd(fields, expiryDay) }
  return hidden.length > 0 ? { value, details, state: 'unknown', code: 'fields_hidden' } : { value, details }
}

/** What people read and what the log holds must say the same. */
function isSameTime({ iat, exp }: Partial<ProofFields>, { time, expiryDay }: ProofExtra): boolean {
  const isStart = iat === undefined || readSeconds(iat) === time
  const isEnd = exp === undefined || (exp === null ? null : computeExpiryDay(readSeconds(exp))) === expiryDay
  return isStart && isEnd
}

/**
 * A seal states the time of its approval. Its certificate is judged at that time, so it must not be another's: a key whose certificate
 * ran out could else seal what is approved today.
 */
function isSealedThen({ claimedAt }: OpenedSeal, { time }: ProofExtra): boolean {
  return claimedAt > 0 && judgeTime(time, [claimedAt / 1000]).kind === 'confirmed'
}

/** To the second where it is shown, to the day where only the log tells. */
function findEnd({ exp }: Partial<ProofFields>, expiryDay: number | null): number | null {
  if (typeof exp === 'string') return readSeconds(exp)
  return expiryDay === null ? null : expiryDay * SECONDS_PER_DAY
}

function readSeconds(time: string): number {
  return Date.parse(time) / 1000
}

/** Against the root that the file brings along; the next step tells whose root that is. */
function checkInclusion({ proof }: CarriedProof, { leafHash }: Approval): Finding<true> {
  const { size, root } = parseCheckpoint(parseNote(proof.checkpoint).text)
  verifyInclusion({ index: proof.index, size, leafHash, path: proof.path, root })
  return { value: true, details: { index: proof.index, size, root: toHex(root), path: proof.path.map(toHex) } }
}

async function readCheckpoint({ proof }: CarriedProof, policy: InstancePolicy): Promise<Finding<OpenedCheckpoint>> {
  const opened = await openCheckpoint(proof.checkpoint, policy.log)
  const { origin, size, root } = opened.checkpoint
  return { value: opened, details: { origin, size, root: toHex(root) } }
}

/** @returns `value`: the times of those who are not the issuer. */
function listIndependent(opened: OpenedCheckpoint, { independentWitnesses }: InstancePolicy): Finding<number[]> {
  const { cosignatures, isQuorumMet } = opened
  const listed = cosignatures.map((one) => ({ ...one, isIndependent: independentWitnesses.includes(one.name) }))
  const value = listed.filter(({ isIndependent }) => isIndependent).map(({ time }) => time)
  const details = { cosignatures: listed, isQuorumMet }
  return isQuorumMet && value.length > 0
    ? { value, details }
    : { value, details, state: 'unknown', code: 'not_witnessed' }
}

function checkTime({ time }: Approval, seen: readonly number[]): Finding<true> {
  const verdict = judgeTime(time, seen)
  if (verdict.kind === 'stated') return { state: 'unknown', code: 'time_stated', details: { statedAt: time } }
  const details = { statedAt: time, seenAt: verdict.at }
  return verdict.kind === 'confirmed' ? { value: true, details } : { state: 'failed', code: 'time_outside', details }
}

async function checkSigner(seal: OpenedSeal, { pins }: InstancePolicy): Promise<Finding<true>> {
  return { value: true, details: { certificate: await verifySigner(seal, pins) } }
}

function checkExpiry({ time, endsAt }: Approval, { now, isAsked }: DocumentQuestion): Finding<true> {
  if (isAsked && now < time * 1000) return { state: 'failed', code: 'not_yet', details: { approvedAt: time, endsAt } }
  const isOver = endsAt !== null && now >= endsAt * 1000
  return isOver ? { state: 'failed', code: 'expired', details: { endsAt } } : { value: true, details: { endsAt } }
}

async function checkRevocation(
  { proof: { index, checkpoint: head }, opened }: { proof: TlogProof; opened: OpenedCheckpoint },
  { policy, now, isAsked, statusPage: given }: DocumentQuestion,
): Promise<Finding<true>> {
  const source = typeof given === 'string' ? undefined : given
  const text = typeof given === 'string' ? given : await source?.read(findStatusPage(index)).catch(() => undefined)
  if (text === undefined) return { state: 'unknown', code: 'no_status' }
  const status = await openStatusPage(text, policy.log)
  const { origin, size, root } = opened.checkpoint
  if (status.checkpoint.origin !== origin) refuse('log_status', 'the page of another log')
  const [isSameSize, isSameRoot] = [status.checkpoint.size === size, areEqual(status.checkpoint.root, root)]
  const isSameTree = isSameSize && isSameRoot
  if (isSameSize !== isSameRoot) {
    // both are signed by the log: together they prove that it shows others another past, whoever keeps them. Of two sizes with one
    // root one is none of a tree: a place in it could stand for another entry
    const heads = [head, parseTlogProof(text).checkpoint]
    return { state: 'unknown', code: 'log_consistency', details: { heads } }
  }
  // by a clock, a page that claims to be from the future is no newer than now; a time that is asked about changes no page
  const asOf = isAsked ? status.time : Math.min(status.time, Math.floor(now / 1000))
  const details = { asOf, size: status.size, page: status.page }
  const met = await source?.meet?.(origin, status.page, status.size).catch(() => undefined)
  if ((met ?? 0) > status.size) return { state: 'unknown', code: 'status_replayed', details }
  const found = isRevoked(status, index)
  if (found === undefined) return { state: 'unknown', code: 'status_silent', details }
  // what it says may have come about only after the time that is asked about
  if (asOf * 1000 > now) {
    return { state: 'unknown', code: 'status_later', details: { ...details, isRevoked: found } }
  }
  if (found) return { state: 'failed', code: 'revoked', details }
  const seen = listIndependent(status, policy)
  // it would not grow old, and withhold later revocations; whoever has seen it knows that it is from then at the latest
  const isAheadOfClock = status.time - now / 1000 > MAX_CLOCKS_DIFFER_SECONDS
  if (isAheadOfClock || isAheadOfSeen(status.time, seen.value ?? [])) {
    return { state: 'unknown', code: 'status_ahead', details: { ...details, asOf: status.time } }
  }
  // whoever signs a tree for one reader alone leaves the revocation out of it, or the document out of the one that all others
  // see; where nobody else signs, the document has that remark
  const isUnseen = (tree: OpenedCheckpoint) =>
    !tree.isQuorumMet || (policy.independentWitnesses.length > 0 && listIndependent(tree, policy).state === 'unknown')
  if (isUnseen(status) || (!isSameTree && isUnseen(opened))) {
    return { state: 'unknown', code: 'status_unwitnessed', details }
  }
  // it was given out before the document was, which nobody need have kept back
  if (status.checkpoint.size < size) return { state: 'unknown', code: 'status_behind', details }
  const isOld = now / 1000 - asOf > MAX_STATUS_AGE_SECONDS
  return isOld ? { state: 'unknown', code: 'status_old', details } : { value: true, details }
}
