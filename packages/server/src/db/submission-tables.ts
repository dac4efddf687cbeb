import type { DocumentState } from '@proofdesk/contract/collections'
import type { DocumentType } from '@proofdesk/contract/fields'
import type { SubmissionOutcome } from '@proofdesk/contract/submissions'
import type { Generated } from 'kysely'

/** What was sent for review once, as it was then. Never changes but for what became of it. */
export interface SubmissionRow {
  id: Generated<number>
  collection_id: number
  /** From 1 in each collection. */
  number: number
  title: string
  /** Of the owner. */
  username: string
  /** Over number, title, username, files and review document (`digestSubmission`), hex; null until that is prepared. */
  digest: string | null
  sent_at: number
  outcome: Generated<SubmissionOutcome>
  decided_at: number | null
  reviewer_id: number | null
  decision_id: number | null
  document_state: Generated<DocumentState>
  /** Where the review document is stored; null unless it is ready. */
  document_key: string | null
  /** Bytes; stays, as what follows, when the document has gone. */
  document_size: number | null
  /** Hex. */
  document_sha256: string | null
  document_pages: number | null
  /** Why none could be made, as JSON; null unless that failed. */
  document_problem: string | null
}

export interface SubmissionFileRow {
  submission_id: number
  /** From 1, in the order of the certified PDF. */
  place: number
  /** The content it was then, which may be gone. */
  content_id: number
  title: string
  file_name: string
  type: DocumentType
  size: number
  pages: number
  sha256: string
  /** What became of it in the review document, as JSON; null until that is prepared. */
  prepared: string | null
}
