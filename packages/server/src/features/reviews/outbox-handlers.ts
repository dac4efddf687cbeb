import type { Deps } from '../../deps.ts'
import type { OutboxHandlers } from '../../outbox/outbox.ts'
import { sendApprovalMail, sendRejectionMail } from './mails.ts'
import { sealProof } from './seal-proof.ts'

/** What follows the commits of this feature. */
export function listReviewHandlers(
  deps: Deps,
): Pick<OutboxHandlers, 'seal_proof' | 'approval_mail' | 'rejection_mail'> {
  return {
    seal_proof: ({ proof_id }) => sealProof(deps, proof_id),
    approval_mail: ({ proof_id }) => sendApprovalMail(deps, proof_id),
    rejection_mail: ({ user_id, collection_id }) => sendRejectionMail(deps, user_id, collection_id),
  }
}
