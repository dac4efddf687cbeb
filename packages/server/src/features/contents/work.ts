import { defineWork } from '../../outbox/outbox.ts'

/** One process draws: whose turn it is, is decided when it is free. */
export const drawThumbnail = defineWork<{ content_id: number }>('draw_thumbnail', { atOnce: 1 })
