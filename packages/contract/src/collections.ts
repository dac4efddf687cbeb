import { z } from 'zod'
import { exactText, filledLine, FlagQuery, Id, IdParams, say, Time } from './fields.ts'
import { COLLECTION_TITLE_MAX_LENGTH, DEFAULT_ADMIN_DESC, DESCRIPTION_MAX_LENGTH, SEARCH_MAX_LENGTH } from './limits.ts'
import { OrderingQuery, PageQuery, searchPageOf } from './paging.ts'
import { route } from './route.ts'
import { CollectionStatus } from './status.ts'

/**
 * Names exactly what a reviewer looked at: SHA-256, lower-case hex, over the submission's number, title and username and
 * the names and hashes of its files and of its review document (`digestSubmission` of the proof package).
 */
export const SubmissionDigest = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ examples: ['5d'.repeat(32)] })

/** `none`: nothing was sent in it, or it has gone with what came after it. */
export const DocumentState = z.enum(['preparing', 'ready', 'failed', 'none'])
export type DocumentState = z.infer<typeof DocumentState>

export const Collection = z.object({
  id: Id,
  title: z.string(),
  username: z.string(),
  is_locked: z.boolean(),
  is_active: z.boolean(),
  proofid: z.string().nullable(),
  admin_desc: z.string(),
  admin_username: z.string().nullable().describe('Who decided last; null while nobody has.'),
  expire_time: Time.nullable(),
  remaining_approval_time: z
    .int()
    .min(0)
    .nullable()
    .describe('Whole seconds until `expire_time`, never negative; null when it never expires.'),
  revoked_at: Time.nullable().describe('When its proof was revoked; null while it is not.'),
  created_at: Time,
  content_count: z.int().min(0),
  sealing: z
    .object({ since: Time, admin_username: z.string(), problem: z.string().nullable() })
    .nullable()
    .describe(
      'Reviewers only, null for everyone else: an approval is claimed, by whom, and its file is being sealed. `problem` is the key of a message that says what holds it up.',
    ),
  submission: z
    .object({
      number: z.int().min(1),
      sent_at: Time,
      state: DocumentState.describe('Of the review document; `failed`: it can only be rejected.'),
      digest: SubmissionDigest.nullable().describe('Null while the review document is prepared.'),
      document: DocumentState.describe('The same as `state`.'),
    })
    .nullable()
    .describe('What waits for a decision.'),
  may: z
    .object({
      edit: z.boolean(),
      delete: z.boolean(),
      send: z.boolean(),
      change_contents: z.boolean().describe('Adding, renaming, replacing and reordering files.'),
      delete_contents: z.boolean(),
      comment: z.boolean(),
      review: z.boolean(),
      withdraw: z.boolean().describe('Taking back an approval that cannot be sealed.'),
    })
    .describe('What the caller may do with it now.'),
})
export type Collection = z.infer<typeof Collection>

export const CollectionTitle = filledLine('collection_title_required')
  .refine((text) => text.length <= COLLECTION_TITLE_MAX_LENGTH, say('collection_title_too_long'))
  .meta({ minLength: 1, maxLength: COLLECTION_TITLE_MAX_LENGTH, examples: ['Degree certificate'] })

const TitleBody = z.object({ title: CollectionTitle })

export const listCollections = route({
  method: 'GET',
  path: '/collections/',
  summary: 'Own collections, or everyone’s for staff and superuser; newest first, ten a page.',
  access: 'bearer',
  query: z.object({
    page: PageQuery,
    is_active: FlagQuery.optional(),
    is_locked: FlagQuery.optional(),
    has_proofid: FlagQuery.optional(),
    // The specification's spelling.
    exlude_admin_desc: exactText
      .max(DESCRIPTION_MAX_LENGTH, say('description_too_long'))
      .meta({ description: 'Collections with exactly this description are left out.', examples: [DEFAULT_ADMIN_DESC] })
      .optional(),
    status: CollectionStatus.optional(),
    search: exactText
      .max(SEARCH_MAX_LENGTH, say('search_too_long'))
      .meta({
        description:
          'Part of a title or Proof ID; for those who see everyone’s also of the owner’s username, and for a superuser of the reviewer’s.',
        examples: ['degree'],
      })
      .optional(),
    ordering: OrderingQuery(['title', 'created_at', 'expire_time']),
  }),
  response: searchPageOf(Collection),
  errors: ['page_not_found', 'read_timed_out'],
})

export const countCollections = route({
  method: 'GET',
  path: '/collections/counts/',
  summary: 'How many collections each filter tile holds, for the same person as the list.',
  access: 'bearer',
  response: z.object({
    opened: z.int().min(0),
    in_progress: z.int().min(0),
    answered: z.int().min(0),
    approved: z.int().min(0),
    expired: z.int().min(0),
    all: z.int().min(0),
  }),
  errors: [],
})

export const showCollection = route({
  method: 'GET',
  path: '/collections/:id',
  summary: 'One collection. 404 when it is missing or not the caller’s to see.',
  access: 'bearer',
  params: IdParams,
  response: Collection,
  errors: ['collection_not_found'],
})

export const createCollection = route({
  method: 'POST',
  path: '/collections/',
  summary: 'Opens a collection of one’s own.',
  access: 'bearer',
  isMadeOnce: true,
  body: TitleBody,
  response: Collection,
  status: 201,
  errors: ['collection_limit_reached', 'collection_not_found', 'email_not_verified', 'forbidden'],
})

export const renameCollection = route({
  method: 'PATCH',
  path: '/collections/:id/',
  summary: 'Changes the title of one’s own collection while it is not locked and has no Proof ID.',
  access: 'bearer',
  params: IdParams,
  body: TitleBody,
  response: Collection,
  errors: ['collection_not_found', 'email_not_verified', 'forbidden', 'collection_not_open'],
})

export const deleteCollection = route({
  method: 'DELETE',
  path: '/collections/:id/',
  summary: 'Deletes one’s own collection and its files; the proof of an expired one stays known as expired.',
  access: 'bearer',
  params: IdParams,
  status: 204,
  errors: ['collection_not_found', 'email_not_verified', 'forbidden', 'collection_not_deletable'],
})

export const sendCollection = route({
  method: 'GET', // fixed by the specification, although it changes state
  path: '/collections/:id/save/',
  changesState: true,
  summary: 'Locks one’s own collection and hands it to the reviewers, as a new submission.',
  access: 'bearer',
  params: IdParams,
  response: Collection,
  errors: ['collection_not_found', 'email_not_verified', 'forbidden', 'collection_already_sent', 'collection_not_open'],
})

export const sendCollectionByPost = route({
  method: 'POST',
  path: '/collections/:id/save/',
  summary: 'The same as GET, for callers that keep GET free of effects.',
  access: 'bearer',
  params: IdParams,
  response: Collection,
  errors: ['collection_not_found', 'email_not_verified', 'forbidden', 'collection_already_sent', 'collection_not_open'],
})
