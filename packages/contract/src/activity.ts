import { z } from 'zod'
import { IdParams, Time } from './fields.ts'
import { pageOf } from './paging.ts'
import { RevocationReason } from './proof-verdict.ts'
import { route } from './route.ts'

/** What a timeline tells of. */
export const ActivityKind = z.enum([
  'created',
  'sent',
  'sent_again',
  'opened',
  'file_removed',
  'rejected',
  'approved',
  'withdrawn',
  'revoked',
  'reinstated',
  'expiry_changed',
])
export type ActivityKind = z.infer<typeof ActivityKind>

export const ActivityStep = z.object({
  kind: ActivityKind,
  at: Time.nullable().describe('Null where it happened before times were kept.'),
  by: z.string().nullable().describe('Username; null where it is not the caller’s to know.'),
  text: z
    .string()
    .nullable()
    .describe('What the reviewer wrote; of a change to the proof what was noted, for staff and superuser alone.'),
  file: z
    .object({ title: z.string(), file_name: z.string() })
    .nullable()
    .describe('What a reviewer removed; null for all else, and where it was never sent.'),
  reason: RevocationReason.nullable().describe('Of a revocation.'),
  expire_time: Time.nullable().describe('Of a changed expiry; null for never.'),
})
export type ActivityStep = z.infer<typeof ActivityStep>

export const showActivity = route({
  method: 'GET',
  path: '/collections/:id/activity/',
  summary: 'What has become of a collection, oldest first, for its owner and the reviewers.',
  access: 'bearer',
  params: IdParams,
  response: pageOf(ActivityStep),
  errors: ['collection_not_found'],
})
