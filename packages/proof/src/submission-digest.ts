import { toHex } from './bytes.ts'
import { hashSha256 } from './sha256.ts'

/** Tell these bytes from those of any other statement. The first form is that of submissions without a review document. */
const CONTEXTS = { withoutDocument: 'proofdesk submission v1', withDocument: 'proofdesk submission v2' }

/** What a reviewer decides on. */
export interface SubmissionFacts {
  /** Counts the submissions of one collection, from 1. */
  number: number
  title: string
  /** Of the owner. */
  username: string
  /** In the order of the certified PDF. */
  files: readonly {
    title: string
    fileName: string
    /** `PDF`, `JPEG` or `PNG`. */
    type: string
    /** SHA-256 of the original, lower-case hex. */
    sha256: string
  }[]
  /**
   * SHA-256 of the review document, whose pages are those that are certified, lower-case hex; null where none could be made
   * of the files; absent for what was sent before there were review documents.
   */
  document?: string | null
}

/**
 * Names exactly what was looked at. All of it stands in the manifest of a certified PDF, so that anybody can work it out
 * again.
 * @returns SHA-256, lower-case hex, of the JSON (RFC 8259, UTF-8, no blanks) of
 *   `[context, number, title, username, [[title, file name, type, sha256], ...], document]`, in the first form without
 *   `document`
 */
export function digestSubmission({ number, title, username, files, document }: SubmissionFacts): string {
  const listed = files.map((file) => [file.title, file.fileName, file.type, file.sha256])
  const facts = [number, title, username, listed]
  const statement =
    document === undefined ? [CONTEXTS.withoutDocument, ...facts] : [CONTEXTS.withDocument, ...facts, document]
  return toHex(hashSha256(new TextEncoder().encode(JSON.stringify(statement))))
}
