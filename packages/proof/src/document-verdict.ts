import type { JsonValue } from './canonical-json.ts'
import type { ProofErrorCode } from './errors.ts'

/**
 * What is looked at, in this order.
 * - `seal`: revision 0 in its one layout, one sealing update, its signature
 * - `proof`: a proof is in the file
 * - `entry`: the fields are those committed to, and revision 0 is the document that was approved
 * - `inclusion`: the entry is in the tree
 * - `checkpoint`: the log signed that tree
 * - `witnesses`: others saw it
 * - `time`: others saw it at about the time that it states
 * - `signer`: the seal's certificate is one that the policy names
 * - `expiry`: it still counts at the time asked about
 * - `revocation`: it was not revoked, as of some time
 */
export const STEP_NAMES = [
  'seal',
  'proof',
  'entry',
  'inclusion',
  'checkpoint',
  'witnesses',
  'time',
  'signer',
  'expiry',
  'revocation',
] as const

export type StepName = (typeof STEP_NAMES)[number]

/**
 * Why a step did not pass, where no file was refused. The list is closed; a code never changes its meaning.
 *
 * - `not_reached`: a step before it, which it builds on, did not pass
 * - `no_proof`: sealed, but without a proof: the log knows nothing of it
 * - `other_document`: revision 0 is not the document that was approved
 * - `other_time`: the fields, or the seal, state another time or expiry than the log
 * - `fields_hidden`: some of what was committed to is not shown, which could be another document's: one entry may stand for two
 * - `not_witnessed`: the witnesses that the policy asks for, or any independent one, have not signed
 * - `time_stated`: the issuer states the time, nobody else confirms it
 * - `time_outside`: others saw it at quite another time than it states
 * - `expired`, `revoked`: as they say
 * - `not_yet`: it was approved after the time that somebody asks about
 * - `no_status`: no status page was handed in
 * - `status_silent`: neither the page nor what came after it says anything about this entry
 * - `status_later`: what is known came about after the time that somebody asks about, and does not tell how it was then
 * - `status_old`: the page says that it was not revoked, but was made, or seen by a witness, too long ago
 * - `status_ahead`: it was seen, or where nobody else says so was made, more than an hour from now
 * - `status_unwitnessed`: the page, or the document, comes with a tree that the witnesses of the policy have not signed: it may be
 *   shown to this one alone; or no independent one says when it saw it
 * - `status_behind`: the page comes with a smaller tree than the document
 * - `status_replayed`: the page leaves out what was shown here before
 */
export type StepCode =
  | 'not_reached'
  | 'no_proof'
  | 'other_document'
  | 'other_time'
  | 'fields_hidden'
  | 'not_witnessed'
  | 'time_stated'
  | 'time_outside'
  | 'expired'
  | 'not_yet'
  | 'revoked'
  | 'no_status'
  | 'status_silent'
  | 'status_later'
  | 'status_old'
  | 'status_ahead'
  | 'status_unwitnessed'
  | 'status_behind'
  | 'status_replayed'

/** How a step went. */
export interface Step {
  name: StepName
  /** `unknown`: says nothing for or against the document. */
  state: 'passed' | 'failed' | 'unknown'
  /** Absent when it passed. */
  code?: StepCode | ProofErrorCode
  /** What was found: hashes in lower-case hex, times in seconds since 1970 UTC. */
  details: Readonly<Record<string, JsonValue>>
}

/**
 * The whole in one word, the first that applies.
 * - `unavailable`: this browser cannot check it; says nothing about the file
 * - `newer`: made by a newer version; says nothing about the file
 * - `not_found`: no proof of this organisation is in the file
 * - `altered`: it is not what was approved
 * - `not_yet`: it was not yet approved at the time that was asked about; so nothing was revoked either
 * - `revoked`, `expired`
 * - `valid`: plainly so only when no remark says less
 */
export type DocumentVerdict =
  | 'unavailable'
  | 'newer'
  | 'not_found'
  | 'altered'
  | 'not_yet'
  | 'revoked'
  | 'expired'
  | 'valid'

/** What a verdict does not vouch for. */
export type Remark = 'fields_hidden' | 'not_witnessed' | 'time_stated' | 'time_outside' | 'revocation_unknown'

/** Codes that mean that the file, or its proof, is not this organisation's. */
const FOREIGN = new Set<Step['code']>(['no_proof', 'unsealed', 'log_trust', 'x509_trust'])

/** Fails there show that the file is not what was approved. */
const INTEGRITY = new Set<StepName>(['seal', 'proof', 'entry', 'inclusion', 'checkpoint', 'signer'])

/**
 * Sums up the steps.
 * @param hasProof Whether anything in the file looks like a proof: without, it is just some other file.
 */
export function decideVerdict(steps: readonly Step[], hasProof: boolean): DocumentVerdict {
  const failed = steps.filter(({ state }) => state === 'failed')
  const isFailed = (wanted: StepName) => failed.some(({ name }) => name === wanted)
  if (steps.some(({ code }) => code === 'unsupported')) return 'unavailable'
  if (steps.some(({ name, code }) => code === 'newer' && name !== 'revocation')) return 'newer'
  if (failed.some(({ code }) => FOREIGN.has(code)) || (isFailed('seal') && !hasProof)) return 'not_found'
  if (failed.some(({ name }) => INTEGRITY.has(name))) return 'altered'
  if (failed.some(({ code }) => code === 'not_yet')) return 'not_yet'
  if (isFailed('revocation')) return 'revoked'
  return isFailed('expiry') ? 'expired' : 'valid'
}

/** Sealed by this organisation but without a proof, as before it had a log: all else that could be looked at holds. */
export function isUnlogged(steps: readonly Step[]): boolean {
  const isPassed = (wanted: StepName) => steps.some(({ name, state }) => name === wanted && state === 'passed')
  return isPassed('seal') && isPassed('signer') && steps.some(({ code }) => code === 'no_proof')
}

/** Verdicts that leave no doubt about what was approved, so that it may be shown. */
export const VOUCHING: ReadonlySet<DocumentVerdict> = new Set<DocumentVerdict>([
  'valid',
  'expired',
  'revoked',
  'not_yet',
])

/** What has to be said beside `valid`, `expired`, `revoked` and `not_yet`; the other verdicts vouch for nothing. */
export function listRemarks(verdict: DocumentVerdict, steps: readonly Step[]): Remark[] {
  if (!VOUCHING.has(verdict)) return []
  return steps.flatMap(({ name, state, code }): Remark[] => {
    if (code === 'fields_hidden' || code === 'not_witnessed' || code === 'time_stated' || code === 'time_outside')
      return [code]
    return name === 'revocation' && state === 'unknown' && verdict !== 'not_yet' ? ['revocation_unknown'] : []
  })
}
