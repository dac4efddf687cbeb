import { z } from 'zod'
import { exactText, FlagQuery, Id, IdParams, say, Time, typedText } from './fields.ts'
import { COLLECTION_TITLE_MAX_LENGTH, DESCRIPTION_MAX_LENGTH, SEARCH_MAX_LENGTH } from './limits.ts'
import { OrderingQuery, pageOf, PageQuery } from './paging.ts'
import { route } from './route.ts'
import { CollectionStatus } from './status.ts'

export const Collection = z.object({
  id: Id,
  title: z.string(),
  username: z.string(),
  is_locked: z.boolean(),
  is_active: z.boolean(),
  proofid: z.string().nullable(),
  admin_desc: z.string(),
  /** Who decided last; null while nobody has. */
  admin_username: z.string().nullable(),
  expire_time: Time.nullable(),
  /** Whole seconds until `expire_time`, never negative; null when it never expires. */
  remaining_approval_time: z.int().min(0).nullable(),
  created_at: Time,
  content_count: z.int().min(0),
  /**
   * Reviewers only, null for everyone else: an approval is claimed and its file is being sealed. `problem` is the key
   * of a message that says what holds it up.
   */
  sealing: z.object({ since: Time, problem: z.string().nullable() }).nullable(),
})
export type Collection = z.infer<typeof Collection>

export const CollectionTitle = typedText
  .refine((text) => text.length > 0, say('collection_title_required'))
  .refine((text) => text.length <= COLLECTION_TITLE_MAX_LENGTH, say('collection_title_too_long'))

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
    /** The specification's spelling: collections with exactly this description are left out. */
    exlude_admin_desc: exactText.max(DESCRIPTION_MAX_LENGTH).optional(),
    status: CollectionStatus.optional(),
    search: exactText.max(SEARCH_MAX_LENGTH, say('search_too_long')).optional(),
    ordering: OrderingQuery(['title', 'created_at', 'expire_time']),
  }),
  response: pageOf(Collection),
})

export const countCollections = route({
  method: 'GET',
  path: '/collections/counts/',
  summary: 'How many collections each filter tile holds, for the same person as the list.',
  access: 'bearer',
  response: z.object({
    opened: z.int(),
    in_progress: z.int(),
    answered: z.int(),
    approved: z.int(),
    expired: z.int(),
    all: z.int(),
  }),
})

export const showCollection = route({
  method: 'GET',
  path: '/collections/:id',
  summary: 'One collection. 404 when it is missing or not the caller’s to see.',
  access: 'bearer',
  params: IdParams,
  response: Collection,
})

export const createCollection = route({
  method: 'POST',
  path: '/collections/',
  summary: 'Opens a collection of one’s own.',
  access: 'bearer',
  body: TitleBody,
  response: Collection,
  status: 201,
})

export const renameCollection = route({
  method: 'PATCH',
  path: '/collections/:id/',
  summary: 'Changes the title of one’s own collection while it is not locked and has no Proof ID.',
  access: 'bearer',
  params: IdParams,
  body: TitleBody,
  response: Collection,
})

export const deleteCollection = route({
  method: 'DELETE',
  path: '/collections/:id/',
  summary: 'Deletes one’s own collection and its files; the proof of an expired one stays known as expired.',
  access: 'bearer',
  params: IdParams,
  status: 204,
})

export const sendCollection = route({
  method: 'GET', // fixed by the specification, although it changes state
  path: '/collections/:id/save/',
  changesState: true,
  summary: 'Locks one’s own collection and hands it to the reviewers.',
  access: 'bearer',
  params: IdParams,
  response: Collection,
})

export const sendCollectionByPost = route({
  method: 'POST',
  path: '/collections/:id/save/',
  summary: 'The same as GET, for callers that keep GET free of effects.',
  access: 'bearer',
  params: IdParams,
  response: Collection,
})
