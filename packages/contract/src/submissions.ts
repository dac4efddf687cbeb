import { z } from 'zod'
import { SubmissionDigest } from './collections.ts'
import { DocumentType, Id, IdParams, Time } from './fields.ts'
import { pageOf, PageQuery } from './paging.ts'
import { route } from './route.ts'

export const SubmissionOutcome = z.enum(['waiting', 'approved', 'rejected', 'withdrawn', 'replaced'])
export type SubmissionOutcome = z.infer<typeof SubmissionOutcome>

export const SubmissionFile = z.object({
  content: Id.describe('The content it was then.'),
  title: z.string(),
  file_name: z.string(),
  type: DocumentType,
  size: z.int().min(0).describe('Bytes.'),
  pages: z.int().min(0),
  sha256: z.string(),
})
export type SubmissionFile = z.infer<typeof SubmissionFile>

export const SubmissionChanges = z.object({
  title: z.string().nullable().describe('The title it had before; null where it is the same.'),
  added: z.array(z.string()).describe('Titles of files, as all that follow.'),
  gone: z.array(z.string()),
  replaced: z.array(z.string()),
  renamed: z.array(z.object({ from: z.string(), to: z.string() })),
  reordered: z.boolean().describe('What is in both stands in another order.'),
})
export type SubmissionChanges = z.infer<typeof SubmissionChanges>

export const Submission = z.object({
  number: z.int().min(1),
  sent_at: Time,
  title: z.string(),
  digest: SubmissionDigest,
  files: z.array(SubmissionFile).describe('In the order of the certified PDF.'),
  changes: SubmissionChanges.nullable().describe('Against the submission before; null for the first.'),
  outcome: SubmissionOutcome.describe(
    '`replaced`: a reviewer deleted a file while it waited; the next number waits instead.',
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
