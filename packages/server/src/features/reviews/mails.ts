import { sayEnglish, splitEnglish } from '@proofdesk/contract/messages'
import { toProofLink } from '@proofdesk/contract/proof-link'
import { judgeProof } from '@proofdesk/contract/proof-verdict'
import type { Deps } from '../../deps.ts'
import { composeMail } from '../../mail/compose.ts'
import { sayMinute } from '../../mail/say-minute.ts'
import { findProof } from '../certificates/queries.ts'
import { toVerdictFacts } from '../certificates/service.ts'
import { findCollection } from '../collections/queries.ts'
import { findReachableUser } from '../users/queries.ts'
import type { ReturnedCollection } from './work.ts'

/**
 * Tells the owner that the collection is approved, with what a third party needs to verify it. Silent where that holds no
 * more: after "Revoked" it would be taken for a new approval.
 */
export async function sendApprovalMail(deps: Deps, proofRowId: number): Promise<void> {
  const proof = await findProof(deps.reads, proofRowId)
  if (!proof || judgeProof(toVerdictFacts(proof), deps.now()) !== 'valid') return
  const owner = await findReachableUser(deps.reads, proof.owner_id)
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
          value:
            proof.current_expire_time === null
              ? sayEnglish('mail_never_expires')
              : sayMinute(proof.current_expire_time),
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

/**
 * Tells the owner why a collection came back. Silent when it was deleted, or sent again, in the meantime: also where that
 * came back too, which has a mail of its own.
 */
export async function sendRejectionMail(deps: Deps, returned: ReturnedCollection): Promise<void> {
  const collection = await findCollection(deps.reads, returned.collection_id, deps.now())
  if (!collection || collection.is_locked) return
  if (returned.submission !== undefined && returned.submission !== collection.submission_number) return
  const owner = await findReachableUser(deps.reads, returned.user_id)
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
