import { defineEvents } from '../../events/event.ts'

export const certificateEvents = defineEvents({
  /** Somebody to whom it does not belong is sent a certified PDF, or a part of it. */
  certificate_downloaded: (by: number, proof: { id: number; collection_id: number | null }) => ({
    audit: {
      actor: by,
      object: { kind: 'proof', id: proof.id },
      ...(proof.collection_id !== null && { collection: proof.collection_id }),
    },
  }),
})
