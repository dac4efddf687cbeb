import { defineWork } from '../outbox/outbox.ts'

/** Each is a moment of the disk or of a store; taken up together they ask the database once. */
export const removeBlob = defineWork<{ key: string }>('remove_blob', { atOnce: 16, isUnhurried: true })
