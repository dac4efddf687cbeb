import { createHash } from 'node:crypto'
import { settleDrawn } from '../drawing/settle-drawn.ts'
import { CertifyError } from '../errors.ts'
import { createObjectStore, type ObjectStore } from '../pdf/object-store.ts'
import type { PreparedDocument, PrepareRequest } from '../types.ts'
import { writeDurably } from '../write-durably.ts'
import { checkReviewDocument } from './check-review-document.ts'
import { type CopiedDocument, copyDocument, nameRefused } from './copy-original.ts'
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
    const known = store.objects.length
    const document = await copyDocument(store, source, index, pagesLeft)
    makePagesUniform(store, document)
    settleDocument(store, document, known, index)
    pagesLeft -= document.pages.length
    copied.push(document)
  }
  const originals = copied.map(({ pages, removed, wasSigned, signatures }) => ({
    pages: pages.length,
    removed,
    wasSigned,
    signatures,
  }))
  const bytes = writeReviewDocument(store, copied, { title, id: makeFileId(copied, title) })
  checkReviewDocument(bytes, request.maxPages - pagesLeft)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await writeDurably(outPath, bytes)
  return { sha256, sizeBytes: bytes.length, pages: request.maxPages - pagesLeft, originals }
}

function settleDocument(store: ObjectStore, { pages }: CopiedDocument, known: number, index: number): void {
  try {
    settleDrawn(store, pages, known)
  } catch (error) {
    throw nameRefused(error, index)
  }
}

/** Stable for the same originals under the same titles; says nothing by itself. */
function makeFileId(copied: readonly CopiedDocument[], title: string): string {
  const hash = createHash('sha256').update(JSON.stringify([title, ...copied.map(({ source }) => source.title)]))
  for (const { source } of copied) hash.update(source.sha256)
  return hash.digest('hex').slice(0, 32)
}
