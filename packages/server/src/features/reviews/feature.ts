import type { Db } from '../../db/open.ts'
import { findLastDecision } from '../submissions/queries.ts'
import { does, sends, type Feature } from '../../feature.ts'
import { findNamedUser, type MailCause } from '../../mail/recipient.ts'
import { findProof } from '../certificates/queries.ts'
import { sendApprovalMail, sendRejectionMail } from './mails.ts'
import { reviewRoutes } from './routes.ts'
import { sealProof as seal } from './seal-proof.ts'
import { approvalMail, rejectionMail, sealProof } from './work.ts'
import { reviewEvents } from './events.ts'
import { deleteReasonsOf } from './queries.ts'

export const reviews: Feature = {
  name: 'reviews',
  tables: ['saved_reasons', 'decisions'],
  events: reviewEvents,
  routes: reviewRoutes,
  forget: (transaction, { id }) => deleteReasonsOf(transaction, id),
  work: [
    does(sealProof, async (deps, { proof_id }) => {
      await deps.onApprovalStep?.('taken-up')
      await seal(deps, proof_id)
    }),
  ],
  mails: [
    sends(
      approvalMail,
      (deps, { proof_id }) => sendApprovalMail(deps, proof_id),
      async (reads, { proof_id }) => {
        const proof = await findProof(reads, proof_id)
        return proof && { userId: proof.owner_id }
      },
      async (reads, { proof_id }) => {
        const proof = await findProof(reads, proof_id)
        return proof && findReviewerToTell(reads, proof.collection_id)
      },
    ),
    sends(rejectionMail, sendRejectionMail, findNamedUser, (reads, { collection_id }) =>
      findReviewerToTell(reads, collection_id),
    ),
  ],
}

async function findReviewerToTell(reads: Db, collection: number | null): Promise<MailCause | undefined> {
  const decided = collection === null ? undefined : await findLastDecision(reads, collection)
  return decided && { userId: decided.reviewer_id, title: decided.title, about: { collection } }
}
