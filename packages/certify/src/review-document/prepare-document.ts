import { createHash } from 'node:crypto'
import { settleDrawn } from '../drawing/settle-drawn.ts'
import { CertifyError, Disagreement, Refusal } from '../errors.ts'
import { createObjectStore, type ObjectStore } from '../pdf/object-store.ts'
import type { PreparedDocument, PrepareRequest, SourceDocument } from '../types.ts'
import { writeDurably } from '../write-durably.ts'
import { checkReviewDocument } from './check-review-document.ts'
import { type CopiedDocument, copyDocument } from './copy-original.ts'
import { makePagesUniform } from './make-uniform.ts'
import { writeReviewDocument } from './write-review-document.ts'

/**
 * Makes the review document: every page of every document in order, normalised so that it has one way to look. Reviewers read
 * it, and a certified PDF takes its pages as they are. Objects 1 to k are all that the pages need, then come the pages in
 * order, then what only this file needs; so a certified PDF begins with the same bytes. The same documents and titles give the
 * same bytes. Durable at `outPath` when this returns; on failure nothing is left there.
 * @throws CertifyError `document_refused` (with `document` and `reason`), `source_changed`, `build_failed`.
 */
export async function prepareDocument(request: PrepareRequest): Promise<PreparedDocument> {
  const { documents, title, outPath } = request
  if (documents.length === 0) throw new CertifyError('build_failed', 'there is no document to prepare')
  const store = createObjectStore()
  const copied: CopiedDocument[] = []
  let pagesLeft = request.maxPages
  for (const [index, source] of documents.entries()) {
    const document = await placeDocument(store, source, pagesLeft).catch((error: unknown) => {
      throw nameRefused(error, index)
    })
    pagesLeft -= document.pages.length
    copied.push(document)
  }
  const originals = copied.map(({ pages, isPictured, removed, wasSigned, signatures }) => ({
    pages: pages.length,
    isPictured,
    removed,
    wasSigned,
    signatures,
  }))
  const bytes = writeReviewDocument(store, copied, { title, id: makeFileId(copied, title) })
  checkReviewDocument(bytes, request.maxPages - pagesLeft)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await writeDurably(outPath, bytes, true)
  return { sha256, sizeBytes: bytes.length, pages: request.maxPages - pagesLeft, originals }
}

/** Pages of one original, in their one form. @throws Refusal, and CertifyError without the number of the document. */
async function placeDocument(store: ObjectStore, source: SourceDocument, pagesLeft: number): Promise<CopiedDocument> {
  const known = store.objects.length
  try {
    const document = await copyDocument(store, source, pagesLeft)
    makePagesUniform(store, document)
    settleDrawn(store, document.pages, known)
    return document
  } catch (error) {
    // it was taken in before it was known that readers differ about it
    if (source.isPictured || !(error instanceof Disagreement)) throw error
    store.objects.length = known
    return placeDocument(store, { ...source, isPictured: true }, pagesLeft)
  }
}

/** Stable for the same originals under the same titles; says nothing by itself. */
function makeFileId(copied: readonly CopiedDocument[], title: string): string {
  const hash = createHash('sha256').update(JSON.stringify([title, ...copied.map(({ source }) => source.title)]))
  for (const { source } of copied) hash.update(source.sha256)
  return hash.digest('hex').slice(0, 32)
}

/** What is wrong with an original, with the original that it is about; anything else as it is. */
function nameRefused(error: unknown, document: number): unknown {
  if (error instanceof Refusal)
    return new CertifyError('document_refused', error.message, { cause: error, document, reason: error.reason })
  if (error instanceof CertifyError && error.code === 'source_changed')
    return new CertifyError(error.code, error.message, { cause: error.cause, document })
  return error
}
