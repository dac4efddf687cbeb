import type { NotificationType } from '@proofdesk/contract/notifications'
import { removeBlob } from '../../blobs/remove-blob.ts'
import { defineEvents } from '../../events/event.ts'
import { tellOnlookers } from '../collections/events.ts'
import type { ProofRecord } from './queries.ts'
import { proofChangeMail, reminderMail } from './work.ts'

type ChangedProof = Pick<ProofRecord, 'id' | 'collection_id' | 'owner_id' | 'title'>

/** A change to a proof: its owner is told by the bell and by mail. */
const tellChange =
  (type: NotificationType) =>
  (by: number, proof: ChangedProof, { number, reason }: { number: number; reason: string | null }) => ({
    audit: {
      actor: by,
      object: { kind: 'proof', id: proof.id } as const,
      ...(proof.collection_id !== null && { collection: proof.collection_id }),
      details: { change: number, ...(reason !== null && { reason }) },
    },
    notify: { user: proof.owner_id, type, path: null, title: proof.title },
    work: [proofChangeMail({ proof_id: proof.id, number })],
    tell: [...tellOnlookers(proof, ['collections']), { topics: ['notifications'] as const, user: proof.owner_id }],
  })

export const certificateEvents = defineEvents({
  /** Somebody to whom it does not belong is sent a certified PDF, or a part of it. */
  certificate_downloaded: (by: number, proof: { id: number; collection_id: number | null }) => ({
    audit: {
      actor: by,
      object: { kind: 'proof', id: proof.id },
      ...(proof.collection_id !== null && { collection: proof.collection_id }),
    },
  }),
  /** From the shell: the PDF goes, and whatever is known of it. */
  proof_erased: (proof: { id: number; collection_id: number | null }, blobKeys: readonly string[]) => ({
    audit: {
      actor: null,
      object: { kind: 'proof', id: proof.id },
      ...(proof.collection_id !== null && { collection: proof.collection_id }),
    },
    work: blobKeys.map((key) => removeBlob({ key })),
  }),
  proof_revoked: tellChange('REVOKED_PROOF'),
  proof_reinstated: tellChange('REINSTATED_PROOF'),
  proof_expiry_changed: tellChange('CHANGED_EXPIRY'),
  /** Some proofs have come within a day-mark of their expiry. */
  expiry_near: (proofs: readonly { id: number; expire_time: number }[]) => ({
    work: proofs.map(({ id: proof_id, expire_time }) => reminderMail({ proof_id, expire_time })),
  }),
})
