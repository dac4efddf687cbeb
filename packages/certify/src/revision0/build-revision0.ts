import { createHash, type Hash } from 'node:crypto'
import { CertifyError } from '../errors.ts'
import { createObjectStore } from '../pdf/object-store.ts'
import { writeFile } from '../pdf/write-file.ts'
import { readWhole } from '../read-whole.ts'
import { readReviewDocument, type ReviewDocument } from '../review-document/read-review-document.ts'
import { withTypefaces } from '../text/choose-typeface.ts'
import type { BuildRequest, BuiltRevision, CertificateFields, CertifiedSource } from '../types.ts'
import { openDurably } from '../write-durably.ts'
import { assembleRevision0 } from './assemble-revision0.ts'
import { checkRevision0 } from './check-revision0.ts'

/** Less than this the disk takes at once, and being asked twice would cost more. */
const EARLY_WRITE_BYTES = 1 << 20

/**
 * Builds revision 0 of a certified PDF: certificate pages, then every page of the review document, each stamped; the manifest;
 * the reserved slots. All that the pages show is taken over byte for byte. It is scanned with the verifier's own scanner
 * before its hash goes anywhere, and its bytes are on the disk when this returns. On failure nothing is left at `outPath`.
 * @throws CertifyError `build_failed`, `source_changed`.
 */
export async function buildRevision0(request: BuildRequest): Promise<BuiltRevision> {
  const file = await openDurably(request.outPath)
  try {
    const bytes = readWhole(request.reviewDocument.path)
    const document = readAsRecorded(request, bytes)
    const { bytes: start } = document.start
    // most of the time goes into the disk, so it begins before anything else is done; nobody sees it before the end
    const written = start.length >= EARLY_WRITE_BYTES ? file.append(start) : undefined
    // told when all of it is written
    written?.catch(() => undefined)
    const hash = checkPrepared(request, bytes, document)
    const { pieces, pages } = await drawRevision0(request, document)
    for (const piece of pieces) hash.update(piece)
    const revision = Buffer.concat([start, ...pieces])
    const facts = checkRevision0(revision)
    await written
    await file.append(written ? revision.subarray(start.length) : revision)
    await file.finish(true)
    return { sha256: hash.digest('hex'), sizeBytes: revision.length, pages, facts: JSON.stringify(facts) }
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** What cannot even be read is told apart by its hash: a file that was spoiled, or one that never was a review document. */
function readAsRecorded({ reviewDocument }: BuildRequest, bytes: Buffer): ReviewDocument {
  try {
    return readReviewDocument(bytes)
  } catch (error) {
    if (createHash('sha256').update(bytes).digest('hex') === reviewDocument.sha256) throw error
    throw sayChanged(error)
  }
}

const sayChanged = (cause?: unknown) =>
  new CertifyError('source_changed', 'the review document is not the file whose SHA-256 was recorded', { cause })

/**
 * The bytes that the reviewer read, or nothing: a proof must not speak of other pages than it contains.
 * @returns the hash of the bytes with which revision 0 begins too, so that they are hashed once.
 */
function checkPrepared(
  { fields, reviewDocument, originals }: BuildRequest,
  bytes: Uint8Array,
  { start, pages }: ReviewDocument,
): Hash {
  const { sha256, sizeBytes } = reviewDocument
  if (fields.submission !== null && fields.submission.documentSha256 !== sha256) {
    throw new CertifyError('build_failed', 'the review document is not the one of the submission')
  }
  const startHash = createHash('sha256').update(start.bytes)
  const hash = startHash.copy().update(bytes.subarray(start.bytes.length))
  if (bytes.length !== sizeBytes || hash.digest('hex') !== sha256) {
    throw sayChanged()
  }
  if (originals.reduce((sum, original) => sum + original.pages, 0) !== pages.length) {
    throw new CertifyError('build_failed', 'the review document has not as many pages as its originals')
  }
  return startHash
}

/** @returns what follows the bytes with which the review document begins. */
async function drawRevision0(
  { fields, originals }: BuildRequest,
  { start, pages }: ReviewDocument,
): Promise<{ pieces: Uint8Array[]; pages: number }> {
  const store = createObjectStore(start.count)
  const assembled = await withTypefaces(listPrintedTexts(fields, originals), () =>
    assembleRevision0(store, fields, originals, pages),
  )
  const pieces: Uint8Array[] = []
  writeFile(store, { ...assembled, id: makeFileId(fields, originals) }, (piece) => pieces.push(piece), { start })
  return { pieces: pieces.slice(1), pages: assembled.pages }
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
