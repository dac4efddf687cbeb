import { z } from 'zod'
import { say } from './fields.ts'
import { IDEMPOTENCY_KEY_MAX_LENGTH } from './limits.ts'
import { IDEMPOTENCY_HEADER } from './route.ts'

/**
 * What a call that makes something is sent with. The quotes that the draft puts around a key are taken as a part of it. A space
 * would come of two such headers, which are joined on their way.
 */
export const IdempotencyHeaders = z.object({
  [IDEMPOTENCY_HEADER]: z
    .string()
    .regex(/^[!-~]+$/, say('idempotency_key_invalid'))
    .max(IDEMPOTENCY_KEY_MAX_LENGTH, say('idempotency_key_invalid'))
    .meta({
      description:
        'Random, of one’s own: the same call sent again under it makes nothing more. For 24 hours, each caller and kind of thing apart.',
      minLength: 1,
      examples: ['3f9c1b7a5d2e48f0a6c4e8b1d7f30529'],
    })
    .optional(),
})
