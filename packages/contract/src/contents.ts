import { z } from 'zod'
import { SubmissionDigest } from './collections.ts'
import type { ErrorCode } from './errors.ts'
import { DocumentType, Id, IdParams, IdQuery, isBlank, isOneLine, say, Time, typedText } from './fields.ts'
import { COLLECTION_MAX_FILES, CONTENT_MAX_POSITION, CONTENT_TITLE_MAX_LENGTH } from './limits.ts'
import { OrderingQuery, pageOf } from './paging.ts'
import { route } from './route.ts'

export const TitleType = z.enum(['TYPE1', 'TYPE2', 'OTHER'], { error: say('title_type_invalid') })
export type TitleType = z.infer<typeof TitleType>

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
  position: z
    .int()
    .min(0)
    .describe('Where it stands in the certified PDF: lowest first; where two are alike, the older.'),
  is_active: z.boolean().describe('Follows the collection: false once its approval has expired.'),
  file: z.string().describe('Path of the call that serves it.'),
  file_name: z.string(),
  size: z.int().min(0).describe('Bytes.'),
  pages: z.int().min(0),
  is_pictured: z
    .boolean()
    .describe('Programs show its pages in different ways: what is reviewed and certified are pictures of them.'),
  sha256: z.string().describe('SHA-256 of the stored bytes, hexadecimal.'),
  thumbnail: ThumbnailState.describe(
    'READY: a picture of the first page can be fetched; PENDING: not yet, a `contents` event tells when; NONE: it cannot be drawn.',
  ),
  upload_id: z.string().nullable().describe('What its upload was called, if it was sent with a name.'),
  collection: z.object({
    id: Id,
    is_locked: z.boolean(),
    proofid: z.string().nullable(),
    digest: SubmissionDigest.nullable().describe('Of what waits for a decision.'),
  }),
  username: z.string(),
  created_at: Time,
  may: z
    .object({ change: z.boolean().describe('Renaming, replacing and moving it.'), delete: z.boolean() })
    .describe('What the caller may do with it now.'),
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

export const UploadId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, say('upload_id_invalid'))
  .meta({
    description: 'Random, of one’s own: the same upload sent again under it is answered with what is there already.',
    examples: ['3f9c1b7a5d2e48f0a6c4e8b1d7f30529'],
  })

export const ContentFields = z
  .object({
    title_type: TitleType.default('TYPE1'),
    title: ContentTitle.optional(),
    collection: IdQuery,
    position: ContentPosition.optional(),
    upload_id: UploadId.optional(),
  })
  .superRefine(judgeTitle)
  .transform(settleTitle)

export const ContentTitleFields = z
  .object({ title_type: TitleType, title: ContentTitle.optional() })
  .superRefine(judgeTitle)
  .transform(settleTitle)

interface GivenTitle {
  title_type: TitleType
  title?: string | undefined
}

/** For OTHER a title is required, of one line and at most 20 characters (section 5). */
function judgeTitle({ title_type, title }: GivenTitle, context: z.RefinementCtx): void {
  if (title_type !== 'OTHER') return
  if (!title || isBlank(title))
    context.addIssue({ code: 'custom', path: ['title'], message: say('content_title_required') })
  else if (!isOneLine(title)) context.addIssue({ code: 'custom', path: ['title'], message: say('text_one_line') })
  else if ([...title].length > CONTENT_TITLE_MAX_LENGTH)
    context.addIssue({ code: 'custom', path: ['title'], message: say('content_title_too_long') })
}

/** For TYPE1 and TYPE2 the title equals the type (section 5). */
function settleTitle<T extends GivenTitle>(fields: T): T & { title: string } {
  return { ...fields, title: fields.title_type === 'OTHER' ? (fields.title ?? '') : fields.title_type }
}

export const listContents = route({
  method: 'GET',
  path: '/contents/',
  summary: 'All contents of one collection, newest first unless `ordering` says otherwise.',
  access: 'bearer',
  query: z.object({ collection: IdQuery, ordering: OrderingQuery(['created_at', 'title']) }),
  response: pageOf(Content),
  errors: ['collection_not_found'],
})

/** What a file that is sent may be refused for. */
const UPLOAD_ERRORS = [
  'email_not_verified',
  'forbidden',
  'collection_not_open',
  'collection_changed',
  'collection_too_many_bytes',
  'own_space_full',
  'collection_too_many_pages',
  'collection_too_many_pictured',
  'file_required',
  'file_only_one',
  'file_empty',
  'file_truncated',
  'file_checksum_wrong',
  'file_password_protected',
  'file_unreadable',
  'file_ambiguous',
  'file_no_pages',
  'file_too_many_pages',
  'file_image_too_large',
  'file_decompression_bomb',
  'file_too_slow',
  'file_too_much_memory',
  'file_name_invalid',
  'file_header_not_at_start',
  'file_infected',
  'upload_interrupted',
  'file_too_large',
  'file_too_large_to_scan',
  'file_unsupported_type',
  'too_many_uploads',
  'busy',
  'storage_unavailable',
  'certifying_unavailable',
  'scanner_unavailable',
  'storage_full',
] as const satisfies ErrorCode[]

export const createContent = route({
  method: 'POST',
  path: '/contents/',
  summary: 'Adds one file to an open collection of one’s own; PDF, JPEG or PNG by its bytes.',
  access: 'bearer',
  body: ContentFields,
  upload: 'multipart',
  response: Content,
  status: 201,
  errors: [...UPLOAD_ERRORS, 'collection_not_found', 'collection_full'],
})

export const renameContent = route({
  method: 'PATCH',
  path: '/contents/:id/',
  summary: 'Changes the title of one file in an open collection of one’s own, by the rules it was added under.',
  access: 'bearer',
  params: IdParams,
  body: ContentTitleFields,
  response: Content,
  errors: ['content_not_found', 'email_not_verified', 'forbidden', 'collection_not_open'],
})

export const replaceContent = route({
  method: 'POST',
  path: '/contents/:id/replace/',
  summary: 'Puts another file in the place of one in an open collection of one’s own; title and position stay.',
  access: 'bearer',
  params: IdParams,
  body: z.object({}),
  upload: 'multipart',
  response: Content,
  errors: [...UPLOAD_ERRORS, 'content_not_found'],
})

export const orderContents = route({
  method: 'POST',
  path: '/contents/order/',
  summary:
    'Puts the files of an open collection of one’s own in another order: that of the certified PDF. All of them are named, once each; 409 when others are there.',
  access: 'bearer',
  body: z.object({
    collection: Id,
    contents: z
      .array(Id)
      .min(1, say('content_order_invalid'))
      .max(COLLECTION_MAX_FILES, say('content_order_invalid'))
      .refine((ids) => new Set(ids).size === ids.length, say('content_order_invalid'))
      .meta({ description: 'The id of every file there is, the first page’s first.', examples: [[12, 10, 11]] }),
  }),
  response: pageOf(Content),
  errors: ['collection_not_found', 'email_not_verified', 'forbidden', 'collection_not_open', 'contents_changed'],
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
  errors: ['content_not_found', 'file_altered', 'file_missing', 'storage_unavailable'],
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
