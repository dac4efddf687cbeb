import { copyPdf } from '../copying/copy-pdf.ts'
import { settleDrawn } from '../drawing/settle-drawn.ts'
import { CertifyError, Refusal } from '../errors.ts'
import { createObjectStore } from '../pdf/object-store.ts'
import { checkReviewDocument } from '../review-document/check-review-document.ts'
import { makePagesUniform } from '../review-document/make-uniform.ts'
import { writeReviewDocument } from '../review-document/write-review-document.ts'
import { listNeeded } from '../pdf/write-file.ts'
import { checkDrawn } from './check-drawn.ts'
import { checkJpegs, listJpegs } from './check-jpegs.ts'
import { checkObjects } from './check-objects.ts'

/**
 * Takes a PDF through everything that preparing it for review will do with it: parse, copy every page, isolate its content,
 * write, scan; and looks at what readers of the certified PDF would have to unpack. What passes here does not fail later.
 * @returns its number of pages.
 * @throws Refusal with the reason.
 */
export async function inspectPdf(bytes: Uint8Array, maxPages: number): Promise<number> {
  const store = createObjectStore()
  const { pages } = await copyPdf(bytes, maxPages, store)
  await checkObjects(store)
  makePagesUniform(store, { pages, imagePage: undefined })
  settleDrawn(store, pages)
  const needed = new Set(listNeeded(store, pages))
  await checkJpegs(checkDrawn(store, pages, needed))
  await checkJpegs(listJpegs(store, needed))
  const documents = [{ source: { title: '' }, pages }]
  try {
    checkReviewDocument(writeReviewDocument(store, documents, { title: '', id: '00'.repeat(16) }), pages.length)
  } catch (error) {
    if (error instanceof CertifyError) throw new Refusal('unreadable', error.message, { cause: error })
    throw error
  }
  return pages.length
}
