import { seesAllCollections, type Viewer } from '@proofdesk/contract/permissions'
import { readProofId } from '@proofdesk/proof/proof-id'
import type { Db } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import { findStandingProof, type StandingProof } from './changes/queries.ts'

/**
 * A published proof that is in the viewer's list.
 * @param given However it is written.
 * @throws AppError `proof_not_found`
 */
export async function findVisible(db: Db, viewer: Viewer, given: string): Promise<StandingProof> {
  const proof = await findStandingProof(db, readProofId(given) ?? '')
  const isVisible = proof && (proof.owner_id === viewer.id || seesAllCollections(viewer))
  if (!isVisible || proof.state !== 'published') throw new AppError('proof_not_found')
  return proof
}
