import { createHash, type Hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { CertifyError } from '../errors.ts'
import { createObjectStore } from '../pdf/object-store.ts'
import { writeFile } from '../pdf/write-file.ts'
import { readReviewDocument, type ReviewDocument } from '../review-document/read-review-document.ts'
import { withTypefaces } from '../text/choose-typeface.ts'
import type { BuildRequest, BuiltRevision, CertificateFields, CertifiedSource } from '../types.ts'
import { writeDurably } from '../write-durably.ts'
import { assembleRevision0 } from './assemble-revision0.ts'
import { checkRevision0 } from './check-revision0.ts'

/**
 * Builds revision 0 of a certified PDF: certificate pages, then every page of the review document, each stamped; the manifest;
 * the reserved slots. All that the pages show is taken over byte for byte. It is scanned with the verifier's own scanner
 * before its hash goes anywhere, and durable at `outPath` when this returns. On failure nothing is left there.
 * @throws CertifyError `build_failed`.
 */
export async function buildRevision0(request: BuildRequest): Promise<BuiltRevision> {
  const document = await readPrepared(request)
  const { bytes, pages, hash } = await writeRevision0(request, document)
  const facts = checkRevision0(bytes)
  await writeDurably(request.outPath, bytes)
  return { sha256: hash.digest('hex'), sizeBytes: bytes.length, pages, facts: JSON.stringify(facts) }
}

interface PreparedDocument extends ReviewDocument {
  /** Of the bytes with which revision 0 begins too, so that they are hashed once. */
  startHash: Hash
}

/** The bytes that the reviewer read, or nothing: a proof must not speak of other pages than it contains. */
async function readPrepared({ fields, reviewDocument, originals }: BuildRequest): Promise<PreparedDocument> {
  const { path, sha256, sizeBytes } = reviewDocument
  if (fields.submission !== null && fields.submission.documentSha256 !== sha256) {
    throw new CertifyError('build_failed', 'the review document is not the one of the submission')
  }
  const bytes = await readFile(path)
  const document = readReviewDocument(bytes)
  const startHash = createHash('sha256').update(document.start.bytes)
  const hash = startHash.copy().update(bytes.subarray(document.start.bytes.length))
  if (bytes.length !== sizeBytes || hash.digest('hex') !== sha256) {
    throw new CertifyError('build_failed', 'the review document is not the file whose SHA-256 was recorded')
  }
  if (originals.reduce((sum, { pages }) => sum + pages, 0) !== document.pages.length) {
    throw new CertifyError('build_failed', 'the review document has not as many pages as its originals')
  }
  return { ...document, startHash }
}

async function writeRevision0(
  { fields, originals }: BuildRequest,
  { start, pages, startHash: hash }: PreparedDocument,
): Promise<{ bytes: Buffer; pages: number; hash: Hash }> {
  const store = createObjectStore(start.count)
  const assembled = await withTypefaces(listPrintedTexts(fields, originals), () =>
    assembleRevision0(store, fields, originals, pages),
  )
  const pieces: Uint8Array[] = []
  writeFile(store, { ...assembled, id: makeFileId(fields, originals) }, (piece) => pieces.push(piece), { start })
  for (const piece of pieces.slice(1)) hash.update(piece)
  return { bytes: Buffer.concat(pieces), pages: assembled.pages, hash }
}

/** What people wrote and the certificate shows. */
function listPrintedTexts(fields: CertificateFields, originals: readonly CertifiedSource[]): string[] {
  const { title, username, reviewer, organisation, description } = fields
  const names = originals.flatMap((original) => [original.title, original.fileName])
  return [title, username, reviewer, organisation, description, ...names]
}

/** Stable for the same proof and originals; says nothing by itself. */
function makeFileId(fields: CertificateFields, originals: readonly CertifiedSource[]): string {
  const hash = createHash('sha256').update(fields.proofId)
  for (const { sha256 } of originals) hash.update(sha256)
  return hash.digest('hex').slice(0, 32)
}
