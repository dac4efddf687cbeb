import type { CollectionCall } from './collection-calls.ts'
import { isRevoked, type CollectionState } from './collection-state.ts'

/** Of what is away or has too much to do, or of a session that ended: nothing has changed, whatever the state is. */
const ALWAYS = new Set([
  'unreachable',
  'not_signed_in',
  'rate_limited',
  'busy',
  'too_many_uploads',
  'storage_unavailable',
  'storage_full',
  'certifying_unavailable',
  'document_preparing',
  'log_behind',
])

/** Whether a state may refuse this by that code. What is not named here is a wrong answer in every state. */
export function isLegalRefusal(state: CollectionState, call: CollectionCall, code: string): boolean {
  if (ALWAYS.has(code)) return true
  const { phase } = state
  switch (code) {
    case 'collection_not_found':
      return phase === 'absent'
    case 'collection_not_open':
      return phase !== 'open' && (call.kind === 'rename' || call.kind === 'upload')
    case 'collection_already_sent':
      return phase !== 'open' && call.kind === 'send'
    case 'collection_empty':
      return call.kind === 'approve' && phase === 'sent' && state.files.length === 0
    case 'collection_not_reviewable':
      if (call.kind === 'withdraw') return phase !== 'absent'
      return phase !== 'sent' && phase !== 'absent' && (call.kind === 'approve' || call.kind === 'reject')
    case 'collection_changed':
      // An upload met one that was locked, which was open again when the reason was looked for.
      if (call.kind === 'upload') return phase !== 'open'
      if (phase !== 'sent') return false
      // An approval without a digest is refused so when something moved on while the certified PDF was built.
      if (call.kind === 'approve' && call.digest === undefined) return true
      return (call.kind === 'approve' || call.kind === 'reject') && state.digest !== call.digest
    case 'proof_not_found':
      return 'proofId' in call && !isPublishedAs(state, call.proofId)
    case 'proof_already_revoked':
      return call.kind === 'revoke' && isPublishedAs(state, call.proofId) && isRevoked(state)
    case 'proof_not_revoked':
      return call.kind === 'reinstate' && isPublishedAs(state, call.proofId) && !isRevoked(state)
    case 'proof_changed':
      // A change that came between two looks of the one that is refused.
      return (call.kind === 'revoke' || call.kind === 'reinstate') && call.count !== state.changes.length
    case 'proof_revoked':
      return call.kind === 'fetch' && isPublishedAs(state, call.proofId) && isRevoked(state)
    default:
      return false
  }
}

const isPublishedAs = ({ phase, claim }: CollectionState, proofId: string): boolean =>
  phase === 'published' && claim?.proofId === proofId
