import { sayEnglish, splitEnglish } from '@proofdesk/contract/messages'
import { toProofLink } from '@proofdesk/contract/proof-link'
import type { Deps } from '../../deps.ts'
import { composeMail } from '../../mail/compose.ts'
import { sayMinute } from '../../mail/say-minute.ts'
import { findProof } from '../certificates/queries.ts'
import { findCollection } from '../collections/queries.ts'
import { findReachableUser } from '../users/queries.ts'

/** Tells the owner that the collection is approved, with what a third party needs to verify it. */
export async function sendApprovalMail(deps: Deps, proofRowId: number): Promise<void> {
  const proof = await findProof(deps.reads, proofRowId)
  const owner = proof && (await findReachableUser(deps.reads, proof.owner_id))
  if (!owner) return
  const { organisation, publicUrl } = deps.config
  await deps.mailer.send({
    to: owner.email,
    ...composeMail(deps.config, {
      subject: splitEnglish('mail_approval_subject', { title: proof.title }),
      heading: sayEnglish('mail_approval_heading'),
      greetingName: owner.username,
      paragraphs: [splitEnglish('mail_approval_text', { title: proof.title, organisation })],
      figure: { proofId: proof.proofid },
      facts: [
        { name: sayEnglish('mail_fact_proof_id'), value: proof.proofid, isCode: true },
        { name: sayEnglish('mail_fact_username'), value: proof.username, isCode: true },
        {
          name: sayEnglish('mail_fact_expires'),
          value: proof.expire_time === null ? sayEnglish('mail_never_expires') : sayMinute(proof.expire_time),
        },
      ],
      quote: proof.admin_desc,
      action: {
        label: sayEnglish('mail_approval_action'),
        url: toProofLink(publicUrl, proof.proofid, proof.username),
      },
      closing: sayEnglish('mail_approval_closing'),
    }),
  })
}

/** Tells the owner why a collection came back. Silent when it was deleted, or sent again, in the meantime. */
export async function sendRejectionMail(deps: Deps, userId: number, collectionId: number): Promise<void> {
  const collection = await findCollection(deps.reads, collectionId, deps.now())
  if (!collection || collection.is_locked) return
  const owner = await findReachableUser(deps.reads, userId)
  if (!owner) return
  await deps.mailer.send({
    to: owner.email,
    ...composeMail(deps.config, {
      subject: splitEnglish('mail_rejection_subject', { title: collection.title }),
      heading: sayEnglish('mail_rejection_heading'),
      greetingName: owner.username,
      paragraphs: [splitEnglish('mail_rejection_text', { title: collection.title })],
      quote: collection.admin_desc,
      action: {
        label: sayEnglish('mail_rejection_action'),
        url: `${deps.config.publicUrl}/content/${collection.id}`,
      },
      closing: sayEnglish('mail_rejection_closing'),
    }),
  })
}
