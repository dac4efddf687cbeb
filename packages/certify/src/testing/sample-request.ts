import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectFile } from '../inspect/inspect-file.ts'
import { prepareDocument } from '../review-document/prepare-document.ts'
import { buildRevision0 } from '../revision0/build-revision0.ts'
import type {
  BuildRequest,
  BuiltRevision,
  CertificateFields,
  DocumentType,
  Inspection,
  PreparedDocument,
  PrepareRequest,
  SourceDocument,
} from '../types.ts'

export const SAMPLE_FIELDS: CertificateFields = {
  proofId: '7Q3K-9ZB4-M0XT-C8VN-5',
  organisation: 'Notariat Müller & Søn',
  isTestInstance: false,
  title: 'Lease agreement, 14 Rue Cler',
  username: 'ada.lovelace',
  reviewer: 'grace.hopper',
  description: 'Checked against the registry.',
  submission: null,
  submittedAt: Date.UTC(2026, 10, 18, 9, 12),
  approvedAt: Date.UTC(2026, 10, 20, 14, 5),
  expiresAt: Date.UTC(2028, 10, 20),
  verifyUrl: 'https://proof.example/service-content',
  code: { address: 'https://proof.example/service-content#', data: '2KCE'.padEnd(416, 'PAPER234567') },
}

export interface Prepared extends PreparedDocument {
  path: string
  documents: SourceDocument[]
}

export interface Certified extends BuiltRevision {
  path: string
  prepared: Prepared
}

/** A folder for one test file, and originals in it. */
export interface Workshop {
  folder: string
  addOriginal(
    bytes: Uint8Array,
    type: DocumentType,
    names?: { title?: string; fileName?: string; isPictured?: boolean },
  ): Promise<SourceDocument>
  /** As the upload check does, in this process. */
  inspect(bytes: Uint8Array): Promise<Inspection>
  prepareRequest(documents: SourceDocument[]): PrepareRequest
  /** Makes the review document, in this process. */
  prepare(documents: SourceDocument[]): Promise<Prepared>
  /** What is approved is what was prepared; it is the second submission. */
  buildRequest(prepared: Prepared, fields?: Partial<CertificateFields>): BuildRequest
  /** Prepares and builds, in this process. */
  certify(documents: SourceDocument[], fields?: Partial<CertificateFields>): Promise<Certified>
  close(): Promise<void>
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'certify-'))
  let count = 0
  const makePath = (name: string): string => join(folder, `${name}-${(count += 1)}.pdf`)

  function prepareRequest(documents: SourceDocument[]): PrepareRequest {
    return { documents, title: SAMPLE_FIELDS.title, outPath: makePath('prepared'), maxPages: 2000 }
  }

  async function prepare(documents: SourceDocument[]): Promise<Prepared> {
    const request = prepareRequest(documents)
    return { ...(await prepareDocument(request)), path: request.outPath, documents }
  }

  function buildRequest(prepared: Prepared, fields: Partial<CertificateFields> = {}): BuildRequest {
    const { path, sha256, sizeBytes, documents } = prepared
    const submission = { number: 2, digest: '5d'.repeat(32), documentSha256: sha256 }
    return {
      fields: { ...SAMPLE_FIELDS, submission, ...fields },
      reviewDocument: { path, sha256, sizeBytes },
      originals: documents.map((document, i) => ({ ...document, ...prepared.originals[i]! })),
      outPath: makePath('built'),
    }
  }

  return {
    folder,
    async addOriginal(bytes, type, names = {}) {
      count += 1
      const path = join(folder, `original-${count}`)
      await writeFile(path, bytes)
      return {
        path,
        type,
        title: names.title ?? `Document ${count}`,
        fileName: names.fileName ?? `document-${count}.${type.toLowerCase()}`,
        sizeBytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        isPictured: names.isPictured ?? false,
      }
    },
    async inspect(bytes) {
      const path = join(folder, 'upload')
      await writeFile(path, bytes)
      return inspectFile(path, { maxPages: 2000 })
    },
    prepareRequest,
    prepare,
    buildRequest,
    async certify(documents, fields) {
      const prepared = await prepare(documents)
      const request = buildRequest(prepared, fields)
      return { ...(await buildRevision0(request)), path: request.outPath, prepared }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
