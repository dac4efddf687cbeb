import type { Db } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { mustStandAsChanged } from './changes/change-mac.ts'
import { findStandingProof } from './changes/queries.ts'
import { mustBeSealedByUs } from './proof-mac.ts'

/** Why a published proof's row is not what was decided, in words for the operator; undefined when it is. */
export async function explainRow(db: Db, secrets: SecretBox, proofid: string): Promise<string | undefined> {
  const proof = await findStandingProof(db, proofid)
  if (!proof) return 'no row'
  try {
    mustBeSealedByUs(secrets, proof)
    mustStandAsChanged(secrets, proof)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.code === 'proof_altered') return 'its row is not what was decided'
    throw error
  }
}
