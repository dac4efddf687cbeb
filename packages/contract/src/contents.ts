import { z } from 'zod'
import { Id, IdParams, IdQuery, say, Time, typedText } from './fields.ts'
import { CONTENT_TITLE_MAX_LENGTH } from './limits.ts'
import { OrderingQuery, pageOf } from './paging.ts'
import { route } from './route.ts'

export const TitleType = z.enum(['TYPE1', 'TYPE2', 'OTHER'], { error: say('title_type_invalid') })
export type TitleType = z.infer<typeof TitleType>

export const DocumentType = z.enum(['PDF', 'JPEG', 'PNG'])
export type DocumentType = z.infer<typeof DocumentType>

/** What the file field offers; what counts is what the bytes say. */
export const ACCEPTED_FILES = '.pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png'

export const MEDIA_TYPE_OF: Record<DocumentType, string> = {
  PDF: 'application/pdf',
  JPEG: 'image/jpeg',
  PNG: 'image/png',
}

export const Content = z.object({
  id: Id,
  title: z.string(),
  title_type: TitleType,
  type: DocumentType,
  /** Follows the collection: false once its approval has expired. */
  is_active: z.boolean(),
  /** Path of the serve call. */
  file: z.string(),
  file_name: z.string(),
  size: z.int(),
  pages: z.int(),
  /** SHA-256 of the stored bytes, hex. */
  sha256: z.string(),
  collection: z.object({ id: Id, is_locked: z.boolean(), proofid: z.string().nullable() }),
  username: z.string(),
  created_at: Time,
})
export type Content = z.infer<typeof Content>

/** For TYPE1 and TYPE2 the title equals the type; for OTHER it is required, at most 20 characters (section 5). */
export const ContentFields = z
  .object({ title_type: TitleType.default('TYPE1'), title: typedText.optional(), collection: IdQuery })
  .superRefine(({ title_type, title }, context) => {
    if (title_type !== 'OTHER') return
    if (!title) context.addIssue({ code: 'custom', path: ['title'], message: say('content_title_required') })
    else if ([...title].length > CONTENT_TITLE_MAX_LENGTH)
      context.addIssue({ code: 'custom', path: ['title'], message: say('content_title_too_long') })
  })
  .transform((fields) => ({
    ...fields,
    title: fields.title_type === 'OTHER' ? (fields.title ?? '') : fields.title_type,
  }))

export const listContents = route({
  method: 'GET',
  path: '/contents/',
  summary: 'All contents of one collection, newest first unless `ordering` says otherwise.',
  access: 'bearer',
  query: z.object({ collection: IdQuery, ordering: OrderingQuery(['created_at', 'title']) }),
  response: pageOf(Content),
})

export const createContent = route({
  method: 'POST',
  path: '/contents/',
  summary: 'Adds one file to an open collection of one’s own; PDF, JPEG or PNG by its bytes.',
  access: 'bearer',
  body: ContentFields,
  upload: 'multipart',
  response: Content,
  status: 201,
})

export const deleteContent = route({
  method: 'DELETE',
  path: '/contents/:id/',
  summary: 'Removes one content and its file.',
  access: 'bearer',
  params: IdParams,
  query: z.object({ collection: IdQuery.optional() }),
  status: 204,
})

export const serveContent = route({
  method: 'GET',
  path: '/contents/serve/',
  summary: 'The stored bytes, with range requests and an entity tag.',
  access: 'bearer',
  query: z.object({ content_id: IdQuery }),
})
