import type { CertificateFields, CertifiedSource, UploadSignature } from '../types.ts'

/** File name of the manifest among the attachments of a certified PDF. */
export const MANIFEST_FILE_NAME = 'proofdesk.json'

/** Raised when a reader of the old format would misread the new one. */
const MANIFEST_VERSION = 1

/** An original and where it begins. Pages are counted through the whole certified PDF, from 1. */
export interface CertifiedOriginal extends CertifiedSource {
  firstPage: number
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
    submission: writeSubmission(fields.submission),
    submitted_at: writeTime(fields.submittedAt),
    approved_at: writeTime(fields.approvedAt),
    expires_at: writeTime(fields.expiresAt),
    verify_url: fields.verifyUrl,
    originals: originals.map((original) => ({
      title: original.title,
      file_name: original.fileName,
      type: original.type,
      size_bytes: original.sizeBytes,
      sha256: original.sha256,
      first_page: original.firstPage,
      last_page: original.firstPage + original.pages - 1,
      is_pictured: original.isPictured,
      removed_active_content: original.removed,
      was_signed: original.wasSigned,
      signatures: original.signatures.map(writeSignature),
    })),
  }
  return new TextEncoder().encode(`${JSON.stringify(manifest, undefined, 2)}\n`)
}

function writeTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}

/** What the original brought, told without any claim of trust. */
function writeSignature({ kind, signer, issuer, signedAt, timeBy, state }: UploadSignature): object {
  return { kind, signer, issuer, signed_at: writeTime(signedAt), time_by: timeBy, state }
}

function writeSubmission(submission: CertificateFields['submission']): object | null {
  if (submission === null) return null
  const { number, digest, documentSha256 } = submission
  return { number, digest, document: { sha256: documentSha256 } }
}
