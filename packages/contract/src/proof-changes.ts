import { z } from 'zod'
import { PROOF_ID, ServerContent, showServerContent } from './certificates.ts'
import { say, Time, typedText } from './fields.ts'
import { sayMissing } from './issue-words.ts'
import { PRIVATE_TEXT_MAX_LENGTH } from './limits.ts'
import { pageOf } from './paging.ts'
import { RevocationReason } from './proof-verdict.ts'
import { ExpireTime } from './reviews.ts'
import { route } from './route.ts'

export const ProofChangeKind = z.enum(['revoke', 'reinstate', 'extend'])
export type ProofChangeKind = z.infer<typeof ProofChangeKind>

/** One entry of a proof's history, which is only ever added to. */
export const ProofChange = z.object({
  kind: ProofChangeKind,
  at: Time,
  by: z.string().nullable().describe('Username.'),
  reason: RevocationReason.nullable().describe('Of a revocation; whoever verifies the proof reads it.'),
  text: z.string().nullable().describe('What was noted for staff and superuser; null for everyone else.'),
  expire_time: Time.nullable().describe('Until when it holds from this change on; null for never.'),
})
export type ProofChange = z.infer<typeof ProofChange>

/** What only staff and superuser will read. */
const PrivateText = typedText
  .refine((text) => text.length <= PRIVATE_TEXT_MAX_LENGTH, say('private_text_too_long'))
  .optional()
  .meta({ maxLength: PRIVATE_TEXT_MAX_LENGTH, examples: ['The issuing school called on Monday.'] })
  .describe('For staff and superuser alone.')

/** In the body, so that no server on the way writes the Proof ID into a log. */
const ChangeBody = z.object({
  proofid: z.string({ error: say('field_required') }).meta(PROOF_ID),
  text: PrivateText,
  change_count: z
    .int()
    .min(0)
    .optional()
    .describe('Of the proof as it was looked at. Where another change came since, 409 `proof_changed`.'),
})

/** Unlike in an approval it may not be left out: who forgets it does not mean for ever. */
const NewExpireTime = z
  .string({ error: sayMissing(say('field_required'), say('expire_time_invalid')) })
  .min(1, say('field_required'))
  .meta({ examples: ['2027-01-31T18:00Z'] })
  .nullable()
  .transform((text): string | null | undefined => text)
  .pipe(ExpireTime)
  .meta({ description: 'With Z, with an offset, or bare (then UTC), and to come; null for never.' })

const REFUSALS = [
  'forbidden',
  'email_not_verified',
  'own_collection',
  'proof_not_found',
  'proof_changed',
  'proof_altered',
  'log_behind',
] as const

export const revokeProof = route({
  method: 'POST',
  path: '/admin/proofs/revoke/',
  summary: 'Revokes a certified proof, for a reason that whoever verifies it reads. Staff and superuser only.',
  access: 'bearer',
  body: ChangeBody.extend({ reason: RevocationReason }).refine(
    ({ reason, text }) => reason !== 'other' || Boolean(text),
    { path: ['text'], error: say('private_text_required') },
  ),
  response: ServerContent,
  errors: [...REFUSALS, 'proof_already_revoked'],
})

export const reinstateProof = route({
  method: 'POST',
  path: '/admin/proofs/reinstate/',
  summary: 'Undoes a revocation that was a mistake; both stay in the history. Staff and superuser only.',
  access: 'bearer',
  body: ChangeBody,
  response: ServerContent,
  errors: [...REFUSALS, 'proof_not_revoked'],
})

export const changeProofExpiry = route({
  method: 'POST',
  path: '/admin/proofs/expiry/',
  summary:
    'Changes until when a proof holds: a time to come, or never. One that has expired is valid again from then on. Staff and superuser only.',
  access: 'bearer',
  body: ChangeBody.extend({ expire_time: NewExpireTime }),
  response: ServerContent,
  errors: [...REFUSALS, 'proof_already_revoked', 'proof_collection_deleted', 'expire_time_past'],
})

export const listProofChanges = route({
  method: 'GET',
  path: '/content-servers/changes/',
  summary: 'What was changed about a proof since it was issued, oldest first, for those who see it in the list.',
  access: 'bearer',
  query: showServerContent.query,
  response: pageOf(ProofChange),
  errors: ['proof_not_found'],
})
