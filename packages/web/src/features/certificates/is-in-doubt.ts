import type { Step } from '@proofdesk/proof/document-verdict'
import type { DocumentReport } from '@proofdesk/proof/verify-document'
import type { CheckedDocument } from './check-document.ts'

/** A reinstatement reaches the list within seconds; a list that is older and says revoked was not late. */
const LATE_LIST_SECONDS = 120
const UNCONFIRMED = ['status_unwitnessed', 'status_ahead']
const DOUBTS = ['time_outside', 'fields_hidden', 'status_replayed', 'log_consistency']

/**
 * What this browser found takes something from the server's word that a proof is in force: that must not look like a success.
 * @param checkedAt Milliseconds since 1970-01-01 UTC.
 */
export function isInDoubt({ verdict, steps }: Pick<DocumentReport, 'verdict' | 'steps'>, checkedAt: number): boolean {
  const asOf = Number(steps.find(({ name }) => name === 'revocation')?.details['asOf'])
  if (verdict === 'revoked') return checkedAt / 1000 - asOf > LATE_LIST_SECONDS
  return hasDoubtfulStep(steps)
}

/** Nor does a seal that is whole, then. */
export function hasDoubtfulStep(steps: DocumentReport['steps']): boolean {
  return steps.some(({ code }) => code !== undefined && DOUBTS.includes(code))
}

/**
 * Nothing contradicts it, and what should be confirmed is not: by the witnesses that the policy names, or by a list that is not
 * from the future. An operator who shows one reader another log than all others looks like that.
 */
export function findUnconfirmed({ report: { steps }, policy }: CheckedDocument): Step | undefined {
  const codes = policy.independentWitnesses.length > 0 ? [...UNCONFIRMED, 'not_witnessed'] : UNCONFIRMED
  return steps.find(({ code = '' }) => codes.includes(code))
}
