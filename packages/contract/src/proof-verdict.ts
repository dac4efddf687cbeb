import { z } from 'zod'
import { say } from './fields.ts'
import { sayMissing } from './issue-words.ts'

/** Why a proof was revoked, as everybody who verifies it may read. Stored and published, so never changed or reused. */
export const RevocationReason = z.enum(
  ['issued_in_error', 'superseded', 'content_false', 'holder_request', 'key_compromised', 'other'],
  { error: sayMissing(say('field_required'), say('revocation_reason_unknown')) },
)
export type RevocationReason = z.infer<typeof RevocationReason>

/** What is said of a proof that is on record, unaltered, to whoever knows its username. */
export const ProofVerdict = z.enum(['valid', 'revoked', 'expired'])
export type ProofVerdict = z.infer<typeof ProofVerdict>

/** What the verdict depends on; times are milliseconds since 1970-01-01 UTC. */
export interface VerdictFacts {
  revoked_at: number | null
  expire_time: number | null
  /** Its collection has not been deleted, which only happens once it has expired. */
  has_collection: boolean
}

/**
 * The last steps of one order: unavailable, not found, altered, revoked, expired, valid. Whichever is met first is the
 * verdict, so an outage is never called invalid, and a revoked proof does not turn into one that merely ran out.
 */
export function judgeProof({ revoked_at, expire_time, has_collection }: VerdictFacts, now: number): ProofVerdict {
  if (revoked_at !== null) return 'revoked'
  return has_collection && (expire_time === null || expire_time > now) ? 'valid' : 'expired'
}
