import { toHex, type Bytes } from './bytes.ts'
import { checkRevocation, type LoggedDocument, type DocumentQuestion } from './check-revocation.ts'
import {
  decideVerdict,
  listRemarks,
  type DocumentVerdict,
  type Remark,
  type Step,
  type StepName,
} from './document-verdict.ts'
import { ProofError, refuse } from './errors.ts'
import type { Finding } from './finding.ts'
import { findProofText } from './find-proof-text.ts'
import type { InstancePolicy } from './instance-policy.ts'
import { listIndependent } from './list-independent.ts'
import { parseCheckpoint } from './log/checkpoint.ts'
import { computeCommitment, readDisclosures, type ProofFields } from './log/commitment.ts'
import { parseNote } from './log/note.ts'
import { openCheckpoint, type OpenedCheckpoint } from './log/open-checkpoint.ts'
import { parseProofExtra, type ProofExtra } from './log/proof-extra.ts'
import { computeExpiryDay, formatStatement, SECONDS_PER_DAY } from './log/statements.ts'
import { judgeTime } from './log/time-rule.ts'
import { parseTlogProof, type TlogProof } from './log/tlog-proof.ts'
import { hashLeaf, verifyInclusion } from './log/tree.ts'
import { readUtf8 } from './utf8.ts'
import { openSeal, verifySigner, type OpenedSeal } from './verify-seal.ts'

export type { DocumentQuestion, StatusSource } from './check-revocation.ts'

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
  const logged = carried && approval && isIncluded && opened && listLogged(carried, approval, opened)
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

function listLogged({ proof, extra }: CarriedProof, { leafHash }: Approval, opened: OpenedCheckpoint): LoggedDocument {
  return { index: proof.index, leafHash, expiryDay: extra.expiryDay, opened, head: proof.checkpoint }
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
