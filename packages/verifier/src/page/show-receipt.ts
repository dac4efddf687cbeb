import type { ProofErrorCode } from '@proofdesk/proof/errors'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import type { Receipt } from '@proofdesk/proof/receipt'
import { listReceipt } from '../list-receipt.ts'
import { explainUnjudged, sayVerdict, WORDS } from '../words.ts'
import { make, makeFacts } from './element.ts'

const COLOURS = { valid: 'good', expired: 'reserved', revoked: 'bad' } as const

/** In a few words. */
export function sayReceipt(outcome: Receipt | ProofErrorCode): string {
  if (typeof outcome === 'object') return WORDS.receiptVerdicts[outcome.verdict]
  const unjudged = findUnjudged(outcome)
  return unjudged ? sayVerdict({ verdict: unjudged, remarks: [], steps: [] }) : WORDS.receiptRefused
}

/** The whole answer about a signed receipt. @param isInDoubt the policy changed, and nobody has compared it yet */
export function showReceipt(outcome: Receipt | ProofErrorCode, policy: InstancePolicy, isInDoubt: boolean): Node[] {
  const isRead = typeof outcome === 'object'
  const unjudged = isRead ? undefined : findUnjudged(outcome)
  const text = isRead
    ? WORDS.receiptThen(policy.organisation)
    : unjudged
      ? explainUnjudged(unjudged)
      : WORDS.receiptBroken
  const colour = isRead ? COLOURS[outcome.verdict] : unjudged ? 'silent' : 'bad'
  const heading = make('h2', { id: 'verdict' }, sayReceipt(outcome))
  return [
    make('div', { class: `band ${colour}` }, make('div', {}, heading, make('p', {}, text))),
    ...(isInDoubt ? [make('p', { class: 'alarm' }, WORDS.policyDoubt)] : []),
    make('h3', {}, isRead ? WORDS.receiptTitle : WORDS.stepCode),
    isRead ? makeFacts(listReceipt(outcome, policy)) : make('p', {}, outcome),
  ]
}

/** What says nothing against the receipt. */
function findUnjudged(code: ProofErrorCode): 'newer' | 'unavailable' | undefined {
  if (code === 'newer') return 'newer'
  return code === 'unsupported' ? 'unavailable' : undefined
}
