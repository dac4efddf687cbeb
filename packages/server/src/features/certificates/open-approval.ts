import { toHex } from '@proofdesk/proof/bytes'
import type { ProofFields } from '@proofdesk/proof/log/commitment'
import type { ApproveStatement } from '@proofdesk/proof/log/statements'
import { AppError } from '../../errors.ts'
import { toEntry } from '../../log/append-statement.ts'
import type { Commitment } from '../../log/queries.ts'
import type { ProofRecord } from './queries.ts'
import { stateApproval } from './state-approval.ts'

/** What the log was told of an approval, and what opens the commitment in it. */
export interface OpenedApproval {
  fields: ProofFields
  statement: ApproveStatement
  disclosures: string[]
}

/**
 * The fields that were kept of an approval, once they are found to be those of its proof and of its leaf.
 * @param proof Whose row was vouched for by its MAC.
 * @throws AppError `proof_altered` when the stored fields are not those that the log was told of.
 */
export function openApproval(proof: ProofRecord, approval: Commitment): OpenedApproval {
  const fields = JSON.parse(approval.fields) as ProofFields
  if (!isOf(proof, fields) || approval.seed !== proof.seed) throw new AppError('proof_altered')
  const { statement, disclosures } = stateApproval(proof.seed, fields)
  if (toHex(toEntry(statement).leafHash) !== approval.leaf_hash) throw new AppError('proof_altered')
  return { fields, statement, disclosures }
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
