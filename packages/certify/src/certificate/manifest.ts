import type { CertificateFields, SourceDocument } from '../types.ts'

/** File name of the manifest among the attachments of a certified PDF. */
export const MANIFEST_FILE_NAME = 'proofdesk.json'

/** Raised when a reader of the old format would misread the new one. */
export const MANIFEST_VERSION = 1

/** What became of one original. Pages are counted through the whole certified PDF, from 1. */
export interface CertifiedOriginal {
  source: SourceDocument
  firstPage: number
  pages: number
  /** Kinds of active content that were left out. */
  removed: string[]
  wasSigned: boolean
}

/**
 * The machine-readable certificate: what the certificate pages say, as JSON in UTF-8. Times are ISO 8601 in UTC, sizes in
 * bytes, hashes lower-case hex.
 */
export function writeManifest(fields: CertificateFields, originals: readonly CertifiedOriginal[]): Uint8Array {
  const manifest = {
    format: 'proofdesk-certificate',
    version: MANIFEST_VERSION,
    proof_id: fields.proofId,
    organisation: fields.organisation,
    test_instance: fields.isTestInstance,
    title: fields.title,
    username: fields.username,
    reviewer: fields.reviewer,
    description: fields.description,
    submission: fields.submission,
    submitted_at: writeTime(fields.submittedAt),
    approved_at: writeTime(fields.approvedAt),
    expires_at: writeTime(fields.expiresAt),
    verify_url: fields.verifyUrl,
    originals: originals.map(({ source, firstPage, pages, removed, wasSigned }) => ({
      title: source.title,
      file_name: source.fileName,
      type: source.type,
      size_bytes: source.sizeBytes,
      sha256: source.sha256,
      first_page: firstPage,
      last_page: firstPage + pages - 1,
      removed_active_content: removed,
      was_signed: wasSigned,
    })),
  }
  return new TextEncoder().encode(`${JSON.stringify(manifest, undefined, 2)}\n`)
}

function writeTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}
