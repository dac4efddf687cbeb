import { z } from 'zod'
import { DocumentState, SubmissionDigest } from './collections.ts'
import { MEDIA_TYPE_OF } from './contents.ts'
import { DocumentType, Id, IdParams, IdQuery, Time } from './fields.ts'
import { pageOf, PageQuery } from './paging.ts'
import { route } from './route.ts'

export const SubmissionOutcome = z.enum(['waiting', 'approved', 'rejected', 'withdrawn', 'replaced'])
export type SubmissionOutcome = z.infer<typeof SubmissionOutcome>

/** What a round or a step came to. An owner was never told of an approval that was taken back: to them it is a rejection. */
export function tellOutcome<Outcome extends string>(outcome: Outcome, isOwner: boolean): Outcome | 'rejected' {
  return isOwner && outcome === 'withdrawn' ? 'rejected' : outcome
}

/** A signature that an uploaded PDF brought, judged by the certificates in it: who they belong to is nobody's claim. */
export const UploadSignature = z.object({
  kind: z.enum(['signature', 'time_stamp']),
  signer: z.string().nullable().describe('As its certificate says; null when there is no readable one.'),
  issuer: z.string().nullable().describe('Who issued that certificate, as it says.'),
  signed_at: Time.nullable(),
  time_by: z
    .enum(['authority', 'signer'])
    .nullable()
    .describe('Who says when: a time-stamp that holds, or the signer.'),
  state: z
    .enum(['whole', 'part', 'broken', 'unknown'])
    .describe(
      '`whole`: holds for the file as it is; `part`: holds for an earlier state, something was added since; `broken`: does not hold; `unknown`: of a kind that is not judged.',
    ),
})
export type UploadSignature = z.infer<typeof UploadSignature>

export const SubmissionFile = z.object({
  content: Id.describe('The content it was then.'),
  title: z.string(),
  file_name: z.string(),
  type: DocumentType,
  size: z.int().min(0).describe('Bytes.'),
  pages: z.int().min(0),
  sha256: z.string(),
  first_page: z
    .int()
    .min(1)
    .nullable()
    .describe('Where it begins in the review document; null until that is prepared.'),
  is_pictured: z
    .boolean()
    .describe('Its pages in the review document are pictures: programs show those of the file in different ways.'),
  removed: z
    .array(z.string())
    .describe('Kinds of active content that the review document leaves out, such as `JavaScript`.'),
  signatures: z
    .array(UploadSignature)
    .describe('Signatures of the original, which are void in the review document and left out; the oldest first.'),
})
export type SubmissionFile = z.infer<typeof SubmissionFile>

const FileNames = z.array(z.string())

export const SubmissionChanges = z.object({
  title: z.string().nullable().describe('The title it had before; null where it is the same.'),
  added: z.array(z.string()).describe('Titles of files, as all that follow.'),
  gone: z.array(z.string()),
  replaced: z.array(z.string()),
  renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  file_names: z
    .object({ added: FileNames, gone: FileNames, replaced: FileNames, renamed: FileNames })
    .describe('Of the same files, in the same order.'),
  reordered: z.boolean().describe('What is in both stands in another order.'),
})
export type SubmissionChanges = z.infer<typeof SubmissionChanges>

/** One PDF of every page of every file, in order, made once: what reviewers read, and the pages that are certified. */
export const ReviewDocument = z.object({
  state: DocumentState,
  pages: z
    .int()
    .min(1)
    .nullable()
    .describe('Null, as size and SHA-256, until it is ready; they stay when it has gone.'),
  size: z.int().min(1).nullable().describe('Bytes.'),
  sha256: z.string().nullable(),
  problem: z
    .object({
      file: z.string().nullable().describe('Title of the file that it is about; null where it is about all of them.'),
      detail: z.string(),
    })
    .nullable()
    .describe('Why none could be made; null unless that failed.'),
})
export type ReviewDocument = z.infer<typeof ReviewDocument>

export const Submission = z.object({
  number: z.int().min(1),
  sent_at: Time,
  title: z.string(),
  digest: SubmissionDigest.nullable().describe('Null while the review document is prepared.'),
  document: ReviewDocument,
  files: z.array(SubmissionFile).describe('In the order of the certified PDF.'),
  changes: SubmissionChanges.nullable().describe('Against the submission before; null for the first.'),
  outcome: SubmissionOutcome.describe(
    '`replaced`: a reviewer deleted a file while it waited; the next number waits instead. `withdrawn`: an approval was taken back before anybody was told of it; the owner reads `rejected`.',
  ),
  decided_at: Time.nullable(),
  reviewer: z.string().nullable().describe('Username of who decided.'),
  admin_desc: z.string().nullable().describe('What the reviewer wrote.'),
})
export type Submission = z.infer<typeof Submission>

export const listSubmissions = route({
  method: 'GET',
  path: '/collections/:id/submissions/',
  summary:
    'Every round of a collection, newest first, ten a page: what was sent, what was decided, and what changed since the round before. For its owner and the reviewers; rounds from before they were kept are missing.',
  access: 'bearer',
  params: IdParams,
  query: z.object({ page: PageQuery }),
  response: pageOf(Submission),
  errors: ['collection_not_found', 'page_not_found'],
})

export const serveDocument = route({
  method: 'GET',
  path: '/collections/:id/submissions/:number/document/',
  summary:
    'The review document of a submission, with range requests and an entity tag, for its owner and the reviewers. There until the collection is approved or sent again.',
  access: 'bearer',
  params: IdParams.extend({ number: IdQuery.describe('Of the submission.') }),
  errors: ['collection_not_found', 'document_not_found', 'file_altered', 'file_missing', 'storage_unavailable'],
  file: [MEDIA_TYPE_OF.PDF],
})
