import { defineWork } from '../../outbox/outbox.ts'

/** One process prepares: whose turn it is, is decided when it is free. */
export const prepareDocument = defineWork<{ submission_id: number }>('prepare_document', { atOnce: 1 })
