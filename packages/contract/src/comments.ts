import { z } from 'zod'
import { Id, IdParams, IdQuery, say, Time, typedText } from './fields.ts'
import { COMMENT_MAX_LENGTH } from './limits.ts'
import { pageOf } from './paging.ts'
import { route } from './route.ts'

export const Comment = z.object({
  id: Id,
  /** Id of who wrote it. */
  user: Id,
  username: z.string(),
  is_staff: z.boolean(),
  text: z.string(),
  created_at: Time,
})
export type Comment = z.infer<typeof Comment>

export const CommentText = typedText
  .refine((text) => text.length > 0, say('comment_empty'))
  .refine((text) => text.length <= COMMENT_MAX_LENGTH, say('comment_too_long'))

export const listComments = route({
  method: 'GET',
  path: '/comments/',
  summary: 'All comments on one collection, oldest first.',
  access: 'bearer',
  query: z.object({ collection: IdQuery }),
  response: pageOf(Comment),
})

export const createComment = route({
  method: 'POST',
  path: '/comments/',
  summary: 'Adds a comment to a collection one may see.',
  access: 'bearer',
  body: z.object({ text: CommentText, collection: Id }),
  response: Comment,
  status: 201,
})

export const deleteComment = route({
  method: 'DELETE',
  path: '/comments/:id/',
  summary: 'Deletes one’s own comment.',
  access: 'bearer',
  params: IdParams,
  query: z.object({ collection: IdQuery.optional() }),
  status: 204,
})
