import type { ProofChangeRecord } from '../../../db/proof-tables.ts'
import { AppError } from '../../../errors.ts'
import type { SecretBox } from '../../../secrets/secret-box.ts'
import { isEqualText } from '../equal-text.ts'
import type { StandingProof } from './queries.ts'

type Change = Omit<ProofChangeRecord, 'id' | 'mac'>

/** Who can write the database only can make no change; all fields of it and of which proof it is are bound. */
export function macChange(secrets: SecretBox, proofid: string, change: Change): string {
  const { proof_id, number, kind, at, actor_id, reason, text, expire_time } = change
  const fields = [proofid, proof_id, number, kind, at, actor_id, reason, text, expire_time]
  return secrets.mac(JSON.stringify(fields), 'proof change')
}

/**
 * Before anything is said about how a proof stands: the columns beside it must say what its newest change says, or what was
 * decided where there is none. Taking a revocation back in the row alone does not help.
 * @throws AppError `proof_altered`
 */
export function mustStandAsChanged(secrets: SecretBox, proof: StandingProof): void {
  if (!isAsChanged(secrets, proof)) throw new AppError('proof_altered')
}

function isAsChanged(secrets: SecretBox, proof: StandingProof): boolean {
  const { last, change_count, current_expire_time, revoked_at, revocation_reason } = proof
  if (!last) {
    const isUntouched = revoked_at === null && revocation_reason === null && current_expire_time === proof.expire_time
    return change_count === 0 && isUntouched
  }
  const due = last.kind === 'revoke' ? { at: last.at, reason: last.reason } : { at: null, reason: null }
  const isSame =
    change_count === last.number &&
    current_expire_time === last.expire_time &&
    revoked_at === due.at &&
    revocation_reason === due.reason
  return isSame && isEqualText(last.mac, macChange(secrets, proof.proofid, last))
}
