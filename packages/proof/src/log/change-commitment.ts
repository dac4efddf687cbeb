import type { Bytes } from '../bytes.ts'
import { refuse } from '../errors.ts'
import { readProofId } from '../proof-id.ts'
import { combineDisclosures, digestDisclosure, makeDisclosure, SEED_BYTES } from './commitment.ts'

/** Tells these bytes from those of an approval. */
const CONTEXT = 'proofdesk/change/v1\n'

/** What a revocation, its undoing or another expiry is about. Every field is committed to, also an empty one. */
export interface ChangeFields {
  /** Proof ID of the approval, printed form. */
  pid: string
  /** Public code of a reason; null where there is none. */
  reason: string | null
  /** What was written about it, for whoever may read that. */
  text: string | null
  /** RFC 3339 in whole seconds of UTC: until when it counts from then on; null for ever. */
  exp: string | null
}

/**
 * Commits to what an entry of the kinds `revoke`, `reinstate` and `amend` says, as `commit` does for approvals: whoever
 * holds the disclosures can show each field, or keep it back.
 * @param seed 32 random bytes of this entry alone.
 * @throws ProofError `log_commitment`.
 * @see RFC 9901 section 4.2 (disclosures), RFC 8785 (JSON)
 */
export function commitChange(
  seed: Bytes,
  { pid, reason, text, exp }: ChangeFields,
): { commitment: string; disclosures: string[] } {
  if (seed.length !== SEED_BYTES || readProofId(pid) !== pid) refuse('log_commitment', 'seed or Proof ID')
  const disclosures = Object.entries({ exp, pid, reason, text }).map(([name, value]) =>
    makeDisclosure(seed, name, value),
  )
  return { commitment: combineDisclosures(CONTEXT, disclosures.map(digestDisclosure)), disclosures }
}
