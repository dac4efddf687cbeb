import { toHex } from './bytes.ts'
import { hashSha256 } from './sha256.ts'

/** Tells these bytes from those of any other statement, and later forms from this one. */
const CONTEXT = 'proofdesk submission v1'

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
}

/**
 * Names exactly what was looked at. All of it stands in the manifest of a certified PDF, so that anybody can work it out
 * again.
 * @returns SHA-256, lower-case hex, of the JSON (RFC 8259, UTF-8, no blanks) of
 *   `[context, number, title, username, [[title, file name, type, sha256], ...]]`
 */
export function digestSubmission({ number, title, username, files }: SubmissionFacts): string {
  const listed = files.map((file) => [file.title, file.fileName, file.type, file.sha256])
  return toHex(hashSha256(new TextEncoder().encode(JSON.stringify([CONTEXT, number, title, username, listed]))))
}
