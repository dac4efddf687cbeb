import { PdfDict } from '@libpdf/core'
import { checkRevision0 } from '../revision0/check-revision0.ts'
import { CertifyError, Refusal } from '../errors.ts'
import { copyPdf } from '../copying/copy-pdf.ts'
import { isolateContent } from '../pdf/isolate-content.ts'
import { makeCatalog } from '../pdf/make-catalog.ts'
import { createObjectStore, numbersOf, registerObject } from '../pdf/object-store.ts'
import { readPageView } from '../pdf/page-box.ts'
import { writeFile } from '../pdf/write-file.ts'
import { checkInlineImages } from './check-inline-images.ts'
import { checkObjects } from './check-objects.ts'

/**
 * Takes a PDF through everything that approving will do with it, apart from drawing: parse, copy every page, isolate its
 * content, write, scan; and looks at what readers of the certified PDF would have to unpack. What passes here does not fail later.
 * @returns its number of pages.
 * @throws Refusal with the reason.
 */
export async function inspectPdf(bytes: Uint8Array, maxPages: number): Promise<number> {
  const store = createObjectStore()
  const { pages } = await copyPdf(bytes, maxPages, store)
  await checkObjects(store)
  const taken = new Set<number>()
  for (const ref of pages) {
    const page = store.objects[ref.objectNumber]
    if (!(page instanceof PdfDict)) continue
    const form = isolateContent(store, page, readPageView(store, page).mediaBox, taken)
    page.delete('Contents')
    page.set('Resources', form === undefined ? new PdfDict() : PdfDict.of({ XObject: PdfDict.of({ PdPage: form }) }))
  }
  checkInlineImages(store)
  const front = registerObject(store, PdfDict.of({ MediaBox: numbersOf([0, 0, 1, 1]), Resources: new PdfDict() }))
  const root = makeCatalog(store, [front, ...pages], [])
  const info = registerObject(store, new PdfDict())
  const pieces: Uint8Array[] = []
  writeFile(store, { root, info, id: '00'.repeat(16) }, (piece) => pieces.push(piece))
  try {
    checkRevision0(Buffer.concat(pieces))
  } catch (error) {
    if (error instanceof CertifyError) throw new Refusal('unreadable', error.message, { cause: error })
    throw error
  }
  return pages.length
}
