import type { RevocationReason } from '@proofdesk/contract/proof-verdict'
import type { SubmissionOutcome } from '@proofdesk/contract/submissions'

/** One collection with all that hangs on its state: its files, the rounds of its review, its proof. */
export interface CollectionState {
  /** `claimed`: an approval is decided; it may have been published meanwhile, and whoever sees it settles that. */
  phase: 'absent' | 'open' | 'sent' | 'claimed' | 'published'
  title: string
  /** What its last decision said, and by whom. */
  description: string
  reviewer: string | null
  /** SHA-256 of its files, sorted. */
  files: readonly string[]
  /** Each with what its reviewer wrote; the oldest first. */
  rounds: readonly Round[]
  /** Of what waits; null while its review document may not be made yet, `unseen` once it must be but nobody was shown it. */
  digest: string | null
  claim: Claim | null
  /** Of its proof, since it was published; the oldest first. */
  changes: readonly Change[]
  /** SHA-256 of the certified PDF, once somebody fetched it. */
  sealed: string | null
  /** What approvals said that were refused as not to be decided on, until the end of the refusal is placed. */
  refusing: readonly string[]
}

export interface Round {
  outcome: SubmissionOutcome
  text: string | null
}

export interface Claim {
  /** null until somebody sees it. */
  proofId: string | null
  text: string
  reviewer: string
  /** It was withdrawn before whoever approved was answered, so it is never published. */
  isDoomed: boolean
}

export interface Change {
  kind: 'revoke' | 'reinstate'
  reason: RevocationReason | null
}

export const UNSEEN = 'unseen'

export const isRevoked = ({ changes }: CollectionState): boolean => changes.at(-1)?.kind === 'revoke'

/** The last round, with another outcome. */
export function settleRound(state: CollectionState, outcome: SubmissionOutcome, text: string): readonly Round[] {
  return [...state.rounds.slice(0, -1), { outcome, text }]
}

/**
 * A claimed approval that somebody sees published.
 * @param proofId null where they do not see it.
 * @returns undefined where that cannot be: nothing is claimed, or another Proof ID was told.
 */
export function publish(state: CollectionState, proofId: string | null): CollectionState | undefined {
  const { phase } = state
  if (!state.claim || state.claim.isDoomed || (phase !== 'claimed' && phase !== 'published')) return undefined
  const known = state.claim.proofId
  if (known !== null && proofId !== null && known !== proofId) return undefined
  const claim = { ...state.claim, proofId: known ?? proofId }
  if (phase === 'published') return { ...state, claim }
  return {
    ...state,
    phase: 'published',
    claim,
    description: claim.text,
    reviewer: claim.reviewer,
    rounds: settleRound(state, 'approved', claim.text),
    digest: null,
  }
}
