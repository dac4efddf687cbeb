import type { PreparedOriginal, UploadSignature as Signature } from '@proofdesk/certify/types'
import type { ReviewDocument, SubmissionFile, UploadSignature } from '@proofdesk/contract/submissions'
import { digestSubmission } from '@proofdesk/proof/submission-digest'
import type { DocumentProblem, SentFile, SubmissionRecord } from './queries.ts'

type Facts = Pick<SubmissionRecord, 'number' | 'title' | 'username'> & {
  files: readonly Pick<SentFile, 'title' | 'file_name' | 'type' | 'sha256'>[]
}

/** @param document SHA-256 of the review document; null where there is none. */
export function digestRecord({ number, title, username, files }: Facts, document: string | null): string {
  return digestSubmission({
    number,
    title,
    username,
    files: files.map((file) => ({ ...file, fileName: file.file_name })),
    document,
  })
}

export function readPrepared({ prepared }: Pick<SentFile, 'prepared'>): PreparedOriginal | undefined {
  if (prepared === null) return undefined
  // those of before there were pictures say nothing of them
  return { isPictured: false, ...(JSON.parse(prepared) as Omit<PreparedOriginal, 'isPictured'>) }
}

/** The shape the API shows. */
export function toReviewDocument(record: SubmissionRecord): ReviewDocument {
  const { document_state: state, document_problem, files } = record
  const problem = document_problem === null ? null : (JSON.parse(document_problem) as DocumentProblem)
  return {
    state,
    pages: record.document_pages,
    size: record.document_size,
    sha256: record.document_sha256,
    problem: problem && {
      file: problem.file === null ? null : (files[problem.file]?.title ?? null),
      detail: problem.detail,
    },
  }
}

/** The shape the API shows: each with the page on which it begins. */
export function toFiles(files: readonly SentFile[]): SubmissionFile[] {
  let next = 1
  return files.map((file) => {
    const prepared = readPrepared(file)
    const first_page = prepared ? next : null
    next += prepared?.pages ?? 0
    return {
      content: file.content_id,
      title: file.title,
      file_name: file.file_name,
      type: file.type,
      size: file.size,
      pages: file.pages,
      sha256: file.sha256,
      first_page,
      is_pictured: prepared?.isPictured ?? false,
      removed: prepared?.removed ?? [],
      signatures: prepared?.signatures.map(toSignature) ?? [],
    }
  })
}

function toSignature({ signedAt, timeBy: time_by, ...same }: Signature): UploadSignature {
  return { ...same, time_by, signed_at: signedAt === null ? null : new Date(signedAt).toISOString() }
}
