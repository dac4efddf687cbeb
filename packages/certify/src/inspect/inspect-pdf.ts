import { copyPdf } from '../copying/copy-pdf.ts'
import { settleDrawn } from '../drawing/settle-drawn.ts'
import { CertifyError, Disagreement, Refusal } from '../errors.ts'
import { createObjectStore } from '../pdf/object-store.ts'
import { checkReviewDocument } from '../review-document/check-review-document.ts'
import { makePagesUniform } from '../review-document/make-uniform.ts'
import { writeReviewDocument } from '../review-document/write-review-document.ts'
import { listNeeded } from '../pdf/write-file.ts'
import { checkDrawn } from './check-drawn.ts'
import { checkJpegs, listJpegs } from './check-jpegs.ts'
import { checkObjects } from './check-objects.ts'

/**
 * Takes a PDF through everything that preparing it for review will do with it. What passes here does not fail later. One that
 * readers show in different ways is tried as pictures of its pages.
 * @param readAgain The same bytes: the given ones are changed where their syntax is mended.
 * @throws Refusal with the reason.
 */
export async function inspectPdf(
  bytes: Uint8Array,
  maxPages: number,
  readAgain: () => Uint8Array,
): Promise<{ pages: number; isPictured: boolean }> {
  try {
    return { pages: await inspectPages(bytes, maxPages), isPictured: false }
  } catch (error) {
    if (!(error instanceof Disagreement)) throw error
    // few files need the library that draws
    const { checkPictures } = await import('../pictures/keep-as-pictures.ts')
    return { pages: await checkPictures(readAgain(), maxPages), isPictured: true }
  }
}

/** Parse, copy every page, isolate its content, write, scan; and look at what readers of the certified PDF would have to unpack. */
async function inspectPages(bytes: Uint8Array, maxPages: number): Promise<number> {
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
