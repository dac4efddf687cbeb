import { fromHex, toHex } from '@proofdesk/proof/bytes'
import type { ProofFields } from '@proofdesk/proof/log/commitment'
import { formatProofExtra } from '@proofdesk/proof/log/proof-extra'
import { formatTlogProof } from '@proofdesk/proof/log/tlog-proof'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { toEntry } from '../../log/append-statement.ts'
import { proveLeaf } from '../../log/prove-leaf.ts'
import { findApproval } from '../../log/queries.ts'
import type { ProofRecord } from '../certificates/queries.ts'
import { stateApproval } from './state-approval.ts'

/** Layout of certified PDFs that `renderSeal` writes. */
const LAYOUT = 1

/**
 * The proof file that a certified PDF carries: its place in the log under a signed head, and what opens its commitment.
 * @returns null for an approval that was claimed before there was a log.
 * @throws AppError `proof_altered` when the stored fields are not those that the log was told of; as `proveLeaf`.
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
  const fields = JSON.parse(approval.fields) as ProofFields
  if (!isOf(proof, fields) || approval.seed !== proof.seed) throw new AppError('proof_altered')
  const { statement, disclosures } = stateApproval(proof.seed, fields)
  if (toHex(toEntry(statement).leafHash) !== approval.leaf_hash) throw new AppError('proof_altered')
  const place = await proveLeaf(deps, fromHex(approval.leaf_hash))
  const { time, expiryDay = null } = statement
  const extra = formatProofExtra({ layout: LAYOUT, time, expiryDay, disclosures, hidden: [], anchors: [] })
  return new TextEncoder().encode(formatTlogProof({ ...place, extra }))
}

/** The row was vouched for by its MAC; the fields stand in another table. */
function isOf(proof: ProofRecord, { pid, doc, sub, col, by, note }: ProofFields): boolean {
  const [revision0] = doc
  return (
    pid === proof.proofid &&
    revision0?.sha256 === proof.revision0_sha256 &&
    revision0.size === proof.revision0_size &&
    sub === proof.username &&
    col === proof.title &&
    by === proof.reviewer_username &&
    note === proof.admin_desc
  )
}
