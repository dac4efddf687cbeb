import { certifiedFileName } from '@proofdesk/contract/certificates'
import type { Deps } from '../../deps.ts'
import { mustBeSealedByUs } from './proof-mac.ts'
import type { ProofRecord } from './queries.ts'
import type { CertifiedFile } from './send-certified.ts'

/** @returns undefined for what was never published. @throws AppError `proof_altered` when its row is not as we made it. */
export function toStoredFile(
  secrets: Deps['secrets'],
  proof: ProofRecord,
  disposition: CertifiedFile['disposition'],
): CertifiedFile | undefined {
  const { state, sealed_key, sealed_sha256, sealed_size } = proof
  if (state !== 'published' || sealed_key === null || sealed_sha256 === null || sealed_size === null) return undefined
  mustBeSealedByUs(secrets, proof)
  return {
    proof_id: proof.id,
    key: sealed_key,
    size: sealed_size,
    sha256: sealed_sha256,
    mediaType: 'application/pdf',
    fileName: certifiedFileName(proof.username),
    disposition,
  }
}
