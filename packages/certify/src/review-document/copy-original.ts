import type { PdfRef } from '@libpdf/core'
import { createHash } from 'node:crypto'
import { CertifyError, Refusal } from '../errors.ts'
import { embedImage } from '../image/embed-image.ts'
import { makeImagePage } from '../image/image-page.ts'
import { copyPdf } from '../copying/copy-pdf.ts'
import { type ObjectStore, registerObject } from '../pdf/object-store.ts'
import { readWhole } from '../read-whole.ts'
import { readSignatures } from '../signatures/read-signatures.ts'
import type { SourceDocument, UploadSignature } from '../types.ts'

/** A document's pages in the store, not yet uniform. */
export interface CopiedDocument {
  source: SourceDocument
  pages: PdfRef[]
  /** What an image page draws; undefined for pages of a PDF, which bring their own content. */
  imagePage: { content: string; image: PdfRef } | undefined
  /** They are pictures of the pages of a PDF. */
  isPictured: boolean
  removed: string[]
  wasSigned: boolean
  /** Of the original: its pages are copied, but what was signed is its bytes. */
  signatures: UploadSignature[]
}

/** @throws Refusal; CertifyError `source_changed`. */
export async function copyDocument(
  store: ObjectStore,
  source: SourceDocument,
  pagesLeft: number,
): Promise<CopiedDocument> {
  const bytes = readOriginal(source)
  if (pagesLeft < 1) throw new Refusal('too_many_pages', 'no pages left')
  if (source.isPictured) return pictureOriginal(store, source, bytes, pagesLeft)
  if (source.type === 'PDF') {
    const copy = await copyPdf(bytes, pagesLeft, store)
    // As it was uploaded: the bytes that were copied from may have been mended.
    const signatures = copy.wasSigned ? await readSignatures(readWhole(source.path), pagesLeft) : []
    return { source, imagePage: undefined, isPictured: false, ...copy, signatures }
  }
  const image = await embedImage(store, bytes, source.type)
  const { page, content } = makeImagePage(image)
  const imagePage = { content, image: image.ref }
  const pages = [registerObject(store, page)]
  return { source, pages, imagePage, isPictured: false, removed: [], wasSigned: false, signatures: [] }
}

/** @throws Refusal. */
async function pictureOriginal(
  store: ObjectStore,
  source: SourceDocument,
  bytes: Uint8Array,
  pagesLeft: number,
): Promise<CopiedDocument> {
  // few files need the library that draws
  const { keepAsPictures } = await import('../pictures/keep-as-pictures.ts')
  const pages = await keepAsPictures(store, bytes, pagesLeft)
  const signatures = await readSignatures(bytes, pagesLeft)
  const wasSigned = signatures.length > 0
  return { source, pages, imagePage: undefined, isPictured: true, removed: [], wasSigned, signatures }
}

/** The bytes that were hashed at upload, or nothing: a proof must not speak of other bytes than it contains. */
function readOriginal(source: SourceDocument): Uint8Array {
  const bytes = readWhole(source.path)
  if (createHash('sha256').update(bytes).digest('hex') !== source.sha256)
    throw new CertifyError('source_changed', 'a document is not the file whose SHA-256 was recorded')
  return bytes
}
