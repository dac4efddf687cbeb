import { fromHex } from '@proofdesk/proof/bytes'
import { formatProofExtra } from '@proofdesk/proof/log/proof-extra'
import { formatTlogProof } from '@proofdesk/proof/log/tlog-proof'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { proveLeaf } from '../../log/prove-leaf.ts'
import { findApproval } from '../../log/queries.ts'
import type { ProofRecord } from '../certificates/queries.ts'
import { openApproval } from '../certificates/service.ts'

/** Layout of certified PDFs that `renderSeal` writes. */
const LAYOUT = 1

/**
 * The proof file that a certified PDF carries: its place in the log under a signed head, and what opens its commitment.
 * @returns null for an approval that was claimed before there was a log.
 * @throws AppError `proof_altered` when nothing was kept of a later one; as `openApproval` and `proveLeaf`.
 */
export async function proveApproval(
  deps: Pick<Deps, 'db' | 'log'>,
  proof: ProofRecord,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const approval = await findApproval(deps.db, proof.id)
  if (!approval) {
    if (proof.approved_at < deps.log.begunAt) return null
    throw new AppError('proof_altered')
  }
  const { statement, disclosures } = openApproval(proof, approval)
  const place = await proveLeaf(deps, fromHex(approval.leaf_hash))
  const { time, expiryDay = null } = statement
  const extra = formatProofExtra({ layout: LAYOUT, time, expiryDay, disclosures, hidden: [], anchors: [] })
  return new TextEncoder().encode(formatTlogProof({ ...place, extra }))
}
