import { PdfDict, type PdfRef } from '@libpdf/core'
import { isolateContent } from '../pdf/isolate-content.ts'
import { makeStream, nameOf, numbersOf, type ObjectStore, registerObject } from '../pdf/object-store.ts'
import { readPageView } from '../pdf/page-box.ts'
import { blendAlone } from './blend-alone.ts'
import type { CopiedDocument } from './copy-original.ts'
import { makePageEntries } from './page-entries.ts'

/**
 * Gives every page the one form in which a certified PDF takes it over: all that it shows is one form, /PdPage. Its own
 * content is isolated by that, so it can neither move nor hide what is drawn after it. Pages keep their numbers.
 */
export function makePagesUniform(
  store: ObjectStore,
  { pages, imagePage }: Pick<CopiedDocument, 'pages' | 'imagePage'>,
): void {
  const taken = new Set<number>()
  const forms: PdfRef[] = []
  for (const ref of pages) {
    const page = store.objects[ref.objectNumber]
    if (!(page instanceof PdfDict)) throw new TypeError('a page that is no dictionary')
    const { mediaBox } = readPageView(store, page)
    const form = imagePage === undefined ? isolateContent(store, page, mediaBox, taken) : undefined
    if (form !== undefined) forms.push(form)
    const shown = imagePage === undefined ? form : drawImage(store, imagePage, mediaBox)
    const entries = makePageEntries(store, page)
    const resources = new PdfDict()
    if (shown !== undefined) resources.set('XObject', PdfDict.of({ PdPage: shown }))
    entries.set('Resources', resources)
    store.objects[ref.objectNumber] = entries
  }
  blendAlone(store, forms)
}

function drawImage(
  store: ObjectStore,
  { content, image }: NonNullable<CopiedDocument['imagePage']>,
  box: readonly number[],
): PdfRef {
  const entries = {
    Type: nameOf('XObject'),
    Subtype: nameOf('Form'),
    BBox: numbersOf(box),
    Resources: PdfDict.of({ XObject: PdfDict.of({ PdImage: image }) }),
  }
  return registerObject(store, makeStream(entries, content))
}
