import { defineWork } from '../outbox/outbox.ts'

export const removeBlob = defineWork<{ key: string }>('remove_blob')
