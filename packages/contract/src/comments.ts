import { z } from 'zod'
import { filledText, Id, IdParams, IdQuery, say, Time } from './fields.ts'
import { COMMENT_MAX_LENGTH } from './limits.ts'
import { pageOf } from './paging.ts'
import { route } from './route.ts'

export const Comment = z.object({
  id: Id,
  user: Id.describe('Id of who wrote it.'),
  username: z.string(),
  is_staff: z.boolean(),
  text: z.string(),
  created_at: Time,
  may: z.object({ delete: z.boolean() }).describe('What the caller may do with it.'),
})
export type Comment = z.infer<typeof Comment>

export const CommentText = filledText('comment_empty')
  .refine((text) => text.length <= COMMENT_MAX_LENGTH, say('comment_too_long'))
  .meta({ minLength: 1, maxLength: COMMENT_MAX_LENGTH, examples: ['Please look at page 2 first.'] })

export const listComments = route({
  method: 'GET',
  path: '/comments/',
  summary: 'All comments on one collection, oldest first.',
  access: 'bearer',
  query: z.object({ collection: IdQuery }),
  response: pageOf(Comment),
  errors: ['collection_not_found'],
})

export const createComment = route({
  method: 'POST',
  path: '/comments/',
  summary: 'Adds a comment to a collection one may see.',
  access: 'bearer',
  isMadeOnce: true,
  body: z.object({ text: CommentText, collection: Id }),
  response: Comment,
  status: 201,
  errors: ['collection_not_found', 'comment_not_found', 'email_not_verified', 'comments_full'],
})

export const deleteComment = route({
  method: 'DELETE',
  path: '/comments/:id/',
  summary: 'Deletes one’s own comment.',
  access: 'bearer',
  params: IdParams,
  query: z.object({ collection: IdQuery.optional() }),
  status: 204,
  errors: ['comment_not_found', 'email_not_verified', 'forbidden'],
})
