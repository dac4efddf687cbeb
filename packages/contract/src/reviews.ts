import { z } from 'zod'
import { Collection, SubmissionDigest } from './collections.ts'
import { filledText, Id, IdParams, IdQuery, say, Time } from './fields.ts'
import { DEFAULT_ADMIN_DESC, DESCRIPTION_MAX_LENGTH, SAVED_REASONS_MAX } from './limits.ts'
import { pageOf, PageQuery, searchPageOf } from './paging.ts'
import { route } from './route.ts'

export const Description = filledText('description_required')
  .refine((text) => text.length <= DESCRIPTION_MAX_LENGTH, say('description_too_long'))
  .meta({ minLength: 1, maxLength: DESCRIPTION_MAX_LENGTH, examples: ['Checked against the register.'] })

/**
 * A point in time with Z, with an offset, or bare (then UTC), with or without seconds; '' counts as none.
 * Output: milliseconds since 1970-01-01 UTC.
 */
export const ExpireTime = z
  .union(
    [
      z.literal(''),
      z.null(),
      z
        .string()
        .max(40)
        .meta({ examples: ['2027-01-31T18:00Z'] }),
    ],
    { error: say('expire_time_invalid') },
  )
  .optional()
  .transform((text, context) => {
    if (text === undefined || text === null || text === '') return null
    const at = readTime(text)
    if (at !== undefined) return at
    context.addIssue({ code: 'custom', message: say('expire_time_invalid') })
    return z.NEVER
  })
  .meta({ description: 'With Z, with an offset, or bare (then UTC); null, missing or empty for never.' })

const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** @returns milliseconds since 1970-01-01 UTC, or undefined when the text is no such time. */
export function readTime(text: string): number | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(
    text.trim(),
  )
  if (!parts) return undefined
  const [, year, month, day, hour, minute, seconds = ':00', offset = 'Z'] = parts
  // ISO 8601 has an offset without a colon, and one of whole hours, too.
  const zone = offset.replace(/^(.\d\d):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`)
  const wall = Date.parse(`${year}-${month}-${day}T${hour}:${minute}${seconds.slice(0, 7)}Z`)
  // Date.parse lets the 31st of February through as the 3rd of March in some engines.
  if (Number.isNaN(wall) || new Date(wall).getUTCDate() !== Number(day)) return undefined
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}${seconds.slice(0, 7)}${zone}`)
  // An offset may push the last hours of the year 9999 into one that ISO 8601 writes with a sign.
  return Number.isNaN(at) || at > END_OF_TIME ? undefined : at
}

/** Rejecting with exactly the default text would look as if nobody had answered. */
const RejectionDescription = Description.refine(
  (text) => text !== DEFAULT_ADMIN_DESC,
  say('default_description_hides_answer'),
).meta({ minLength: 1, maxLength: DESCRIPTION_MAX_LENGTH, examples: ['Page 2 is not signed.'] })

/** Without it the decision is on whatever waits when it arrives, and the audit trail says so. */
const LookedAt = SubmissionDigest.nullish()
  .transform((digest) => digest ?? undefined)
  .describe('Of what was looked at. Where another waits by now, 409 `collection_changed` says what changed.')

/** What any decision on a collection may be refused for. */
const DECISION_ERRORS = [
  'collection_not_found',
  'email_not_verified',
  'forbidden',
  'own_collection',
  'collection_not_reviewable',
] as const

export const approveCollection = route({
  method: 'POST',
  path: '/admin/:id/approve/',
  summary:
    'Approves a locked collection: 200 with its Proof ID once the certified PDF is sealed and published, 202 with `sealing` when that takes longer than ten seconds.',
  access: 'bearer',
  params: IdParams,
  body: z.object({ admin_desc: Description, expire_time: ExpireTime, digest: LookedAt }),
  response: Collection,
  errors: [
    ...DECISION_ERRORS,
    'expire_time_past',
    'collection_empty',
    'collection_changed',
    'document_failed',
    'document_preparing',
    'file_altered',
    'file_missing',
    'storage_unavailable',
    'certifying_unavailable',
    'log_behind',
  ],
  otherStatuses: { 202: 'The approval is claimed and its file is being sealed; `sealing` says since when.' },
})

export const rejectCollection = route({
  method: 'POST',
  path: '/admin/:id/reject/',
  summary: 'Rejects a locked collection with a description and unlocks it for its owner.',
  access: 'bearer',
  params: IdParams,
  body: z.object({ admin_desc: RejectionDescription, digest: LookedAt }),
  response: Collection,
  errors: [...DECISION_ERRORS, 'collection_changed'],
})

export const withdrawApproval = route({
  method: 'POST',
  path: '/admin/:id/withdraw/',
  summary:
    'Withdraws a claimed approval that cannot be sealed; the collection is unlocked with the reason. Superuser only.',
  access: 'bearer',
  params: IdParams,
  body: z.object({ admin_desc: RejectionDescription }),
  response: Collection,
  errors: [...DECISION_ERRORS, 'log_behind'],
})

export const WaitingCollection = z.object({ id: Id, title: z.string(), username: z.string() })
export type WaitingCollection = z.infer<typeof WaitingCollection>

export const ReviewQueue = z.object({
  waiting: z.int().min(0).describe('How many collections wait for a decision that the caller may take.'),
  place: z.int().min(1).nullable().describe('Place of `collection` among them, from 1; null when it does not wait.'),
  previous: WaitingCollection.nullable(),
  next: WaitingCollection.nullable(),
})
export type ReviewQueue = z.infer<typeof ReviewQueue>

export const showReviewQueue = route({
  method: 'GET',
  path: '/admin/queue/',
  summary:
    'What waits for the caller’s decision, the oldest first: how many, and the neighbours of one collection. After the last comes the first. Staff and superuser only.',
  access: 'bearer',
  query: z.object({
    collection: IdQuery.optional().describe(
      'Whose neighbours are asked for; it keeps its place once it is decided on. Without it, or when it is gone, `next` is the first.',
    ),
  }),
  response: ReviewQueue,
  errors: ['forbidden'],
})

export const OwnDecision = z.object({
  collection: Id,
  title: z.string().describe('As it was sent, and so is the username.'),
  username: z.string(),
  submission: z.int().min(1).describe('Number of the round that it was on.'),
  outcome: z.enum(['approved', 'rejected', 'withdrawn']),
  decided_at: Time,
})
export type OwnDecision = z.infer<typeof OwnDecision>

export const listOwnDecisions = route({
  method: 'GET',
  path: '/admin/decisions/',
  summary:
    'What the caller has decided, the newest first, ten a page, at most the last thousand; without what was deleted since. Staff and superuser only.',
  access: 'bearer',
  query: z.object({ page: PageQuery }),
  response: searchPageOf(OwnDecision),
  errors: ['forbidden', 'page_not_found'],
})

export const Decision = z.enum(['approve', 'reject'], { error: say('decision_invalid') })
export type Decision = z.infer<typeof Decision>

export const SavedReason = z.object({ id: Id, decision: Decision, text: z.string() })
export type SavedReason = z.infer<typeof SavedReason>

export const listReasons = route({
  method: 'GET',
  path: '/admin/reasons/',
  summary: 'The descriptions the caller has saved for approving and rejecting, newest first. Staff and superuser only.',
  access: 'bearer',
  response: pageOf(SavedReason),
  errors: ['forbidden', 'email_not_verified'],
})

export const saveReason = route({
  method: 'POST',
  path: '/admin/reasons/',
  summary: `Saves a description for the next time; the same one stands there once. The newest ${SAVED_REASONS_MAX} for each decision are kept.`,
  access: 'bearer',
  body: z.object({ decision: Decision, text: Description }),
  response: SavedReason,
  status: 201,
  errors: ['forbidden', 'email_not_verified'],
})

export const deleteReason = route({
  method: 'DELETE',
  path: '/admin/reasons/:id/',
  summary: 'Forgets one of the caller’s saved descriptions.',
  access: 'bearer',
  params: IdParams,
  status: 204,
  errors: ['forbidden', 'email_not_verified', 'reason_not_found'],
})
