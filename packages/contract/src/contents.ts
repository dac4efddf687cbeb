import { z } from 'zod'
import { Id, IdParams, IdQuery, say, Time, typedText } from './fields.ts'
import { CONTENT_MAX_POSITION, CONTENT_TITLE_MAX_LENGTH } from './limits.ts'
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

/** READY: its call answers with a picture; PENDING: one is on its way; NONE: its first page cannot be drawn. */
export const ThumbnailState = z.enum(['READY', 'PENDING', 'NONE'])
export type ThumbnailState = z.infer<typeof ThumbnailState>

export const THUMBNAIL_FILE = { mediaType: 'image/webp', fileName: 'thumbnail.webp' } as const

export const Content = z.object({
  id: Id,
  title: z.string(),
  title_type: TitleType,
  type: DocumentType,
  position: z.int().describe('Where it stands in the certified PDF: lowest first; where two are alike, the older.'),
  is_active: z.boolean().describe('Follows the collection: false once its approval has expired.'),
  file: z.string().describe('Path of the call that serves it.'),
  file_name: z.string(),
  size: z.int().describe('Bytes.'),
  pages: z.int(),
  sha256: z.string().describe('SHA-256 of the stored bytes, hexadecimal.'),
  thumbnail: ThumbnailState.describe(
    'READY: a picture of the first page can be fetched; PENDING: not yet, a `contents` event tells when; NONE: it cannot be drawn.',
  ),
  collection: z.object({ id: Id, is_locked: z.boolean(), proofid: z.string().nullable() }),
  username: z.string(),
  created_at: Time,
})
export type Content = z.infer<typeof Content>

const ContentTitle = typedText.meta({
  description: 'Needed for OTHER; for TYPE1 and TYPE2 the title is the type.',
  maxLength: CONTENT_TITLE_MAX_LENGTH,
  examples: ['Diploma'],
})

/** Lets a file that comes late stand where it was meant to. */
const ContentPosition = z
  .string()
  .regex(/^\d{1,6}$/, say('position_invalid'))
  .transform(Number)
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: CONTENT_MAX_POSITION,
    pattern: undefined,
    description: 'Where it stands in the certified PDF; left out, it comes after those that are there.',
  })

/** For TYPE1 and TYPE2 the title equals the type; for OTHER it is required, at most 20 characters (section 5). */
export const ContentFields = z
  .object({
    title_type: TitleType.default('TYPE1'),
    title: ContentTitle.optional(),
    collection: IdQuery,
    position: ContentPosition.optional(),
  })
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
  errors: ['collection_not_found'],
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
  errors: [
    'email_not_verified',
    'forbidden',
    'collection_not_found',
    'collection_not_open',
    'collection_changed',
    'collection_full',
    'collection_too_many_bytes',
    'collection_too_many_pages',
    'file_required',
    'file_only_one',
    'file_empty',
    'file_truncated',
    'file_password_protected',
    'file_unreadable',
    'file_no_pages',
    'file_too_many_pages',
    'file_image_too_large',
    'file_decompression_bomb',
    'file_too_slow',
    'file_too_much_memory',
    'file_name_invalid',
    'file_header_not_at_start',
    'upload_interrupted',
    'file_too_large',
    'file_unsupported_type',
    'too_many_uploads',
    'busy',
    'storage_unavailable',
    'certifying_unavailable',
  ],
})

export const deleteContent = route({
  method: 'DELETE',
  path: '/contents/:id/',
  summary: 'Removes one content and its file.',
  access: 'bearer',
  params: IdParams,
  query: z.object({ collection: IdQuery.optional() }),
  status: 204,
  errors: ['content_not_found', 'email_not_verified', 'content_locked'],
})

export const serveContent = route({
  method: 'GET',
  path: '/contents/serve/',
  summary: 'The stored bytes, with range requests and an entity tag.',
  access: 'bearer',
  query: z.object({ content_id: IdQuery }),
  errors: ['content_not_found', 'storage_unavailable'],
  file: Object.values(MEDIA_TYPE_OF),
})

export const showThumbnail = route({
  method: 'GET',
  path: '/contents/:id/thumbnail/',
  summary:
    'A picture of the first page on white paper, at most 320 pixels on a side, for whoever may see the content. It is ' +
    'drawn soon after the upload; until then, and where the page cannot be drawn, the answer is 404.',
  access: 'bearer',
  params: IdParams,
  errors: ['content_not_found', 'thumbnail_not_found', 'storage_unavailable'],
  file: [THUMBNAIL_FILE.mediaType],
})
