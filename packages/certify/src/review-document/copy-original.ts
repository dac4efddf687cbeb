import type { PdfRef } from '@libpdf/core'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { CertifyError, Refusal } from '../errors.ts'
import { embedImage } from '../image/embed-image.ts'
import { makeImagePage } from '../image/image-page.ts'
import { copyPdf } from '../copying/copy-pdf.ts'
import { type ObjectStore, registerObject } from '../pdf/object-store.ts'
import { readSignatures } from '../signatures/read-signatures.ts'
import type { SourceDocument, UploadSignature } from '../types.ts'

/** A document's pages in the store, not yet uniform. */
export interface CopiedDocument {
  source: SourceDocument
  pages: PdfRef[]
  /** What an image page draws; undefined for pages of a PDF, which bring their own content. */
  imagePage: { content: string; image: PdfRef } | undefined
  removed: string[]
  wasSigned: boolean
  /** Of the original: its pages are copied, but what was signed is its bytes. */
  signatures: UploadSignature[]
}

/** @throws CertifyError `document_refused`, `source_changed`, `build_failed`. */
export async function copyDocument(
  store: ObjectStore,
  source: SourceDocument,
  index: number,
  pagesLeft: number,
): Promise<CopiedDocument> {
  const bytes = await readOriginal(source, index)
  try {
    return await copyOriginal(store, source, bytes, pagesLeft)
  } catch (error) {
    throw nameRefused(error, index)
  }
}

/** A refusal with the document that it is about; anything else as it is. */
export function nameRefused(error: unknown, index: number): unknown {
  if (!(error instanceof Refusal)) return error
  return new CertifyError('document_refused', error.message, { cause: error, document: index, reason: error.reason })
}

/** @throws Refusal. */
async function copyOriginal(
  store: ObjectStore,
  source: SourceDocument,
  bytes: Uint8Array,
  pagesLeft: number,
): Promise<CopiedDocument> {
  if (pagesLeft < 1) throw new Refusal('too_many_pages', 'no pages left')
  if (source.type === 'PDF') {
    const copy = await copyPdf(bytes, pagesLeft, store)
    // As it was uploaded: the bytes that were copied from may have been mended.
    const signatures = copy.wasSigned ? await readSignatures(await readFile(source.path), pagesLeft) : []
    return { source, imagePage: undefined, ...copy, signatures }
  }
  const image = await embedImage(store, bytes, source.type)
  const { page, content } = makeImagePage(image)
  const imagePage = { content, image: image.ref }
  return { source, pages: [registerObject(store, page)], imagePage, removed: [], wasSigned: false, signatures: [] }
}

/** The bytes that were hashed at upload, or nothing: a proof must not speak of other bytes than it contains. */
async function readOriginal(source: SourceDocument, index: number): Promise<Uint8Array> {
  const bytes = await readFile(source.path)
  if (createHash('sha256').update(bytes).digest('hex') !== source.sha256) {
    const words = `document ${index} is not the file whose SHA-256 was recorded`
    throw new CertifyError('source_changed', words, { document: index })
  }
  return bytes
}
