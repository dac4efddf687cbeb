import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectFile } from '../inspect/inspect-file.ts'
import type { BuildRequest, CertificateFields, DocumentType, Inspection, SourceDocument } from '../types.ts'

export const SAMPLE_FIELDS: CertificateFields = {
  proofId: '7Q3K-9ZB4-M0XT-C8VN-5',
  organisation: 'Notariat Müller & Søn',
  isTestInstance: false,
  title: 'Lease agreement, 14 Rue Cler',
  username: 'ada.lovelace',
  reviewer: 'grace.hopper',
  description: 'Checked against the registry.',
  submission: { number: 2, digest: '5d'.repeat(32) },
  submittedAt: Date.UTC(2026, 10, 18, 9, 12),
  approvedAt: Date.UTC(2026, 10, 20, 14, 5),
  expiresAt: Date.UTC(2028, 10, 20),
  verifyUrl: 'https://proof.example/service-content',
  verifyLink: 'https://proof.example/service-content#proofid=7Q3K-9ZB4-M0XT-C8VN-5&username=ada.lovelace',
}

/** A folder for one test file, and originals in it. */
export interface Workshop {
  folder: string
  addOriginal(
    bytes: Uint8Array,
    type: DocumentType,
    names?: { title?: string; fileName?: string },
  ): Promise<SourceDocument>
  /** As the upload check does, in this process. */
  inspect(bytes: Uint8Array): Promise<Inspection>
  request(documents: SourceDocument[], fields?: Partial<CertificateFields>): BuildRequest
  close(): Promise<void>
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), 'certify-'))
  let count = 0
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
      }
    },
    async inspect(bytes) {
      const path = join(folder, 'upload')
      await writeFile(path, bytes)
      return inspectFile(path, { maxPages: 2000 })
    },
    request(documents, fields = {}) {
      count += 1
      return {
        fields: { ...SAMPLE_FIELDS, ...fields },
        documents,
        outPath: join(folder, `built-${count}.pdf`),
        maxPages: 2000,
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
