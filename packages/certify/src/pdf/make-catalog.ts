import { PdfArray, PdfDict, type PdfRef } from '@libpdf/core'
import { type Attachment, makeAttachmentTree } from './attach-file.ts'
import { nameOf, numberOf, type ObjectStore, registerObject } from './object-store.ts'
import { reserveSlots } from './reserve-slots.ts'

/** Page tree, attachments and slots. The first page carries the invisible signature field. */
export function makeCatalog(store: ObjectStore, refs: readonly PdfRef[], attachments: readonly Attachment[]): PdfRef {
  const tree = PdfDict.of({ Type: nameOf('Pages'), Kids: new PdfArray([...refs]), Count: numberOf(refs.length) })
  const treeRef = registerObject(store, tree)
  for (const ref of refs) {
    const page = store.objects[ref.objectNumber]
    if (!(page instanceof PdfDict)) continue
    page.set('Type', nameOf('Page'))
    page.set('Parent', treeRef)
  }
  const first = refs[0]
  const firstPage = first === undefined ? undefined : store.objects[first.objectNumber]
  if (first === undefined || !(firstPage instanceof PdfDict)) throw new TypeError('a PDF without pages')
  const slots = reserveSlots(store, firstPage, first)
  const catalog = PdfDict.of({
    Type: nameOf('Catalog'),
    Pages: treeRef,
    Names: PdfDict.of({ EmbeddedFiles: makeAttachmentTree([...attachments, slots.proof]) }),
    AF: new PdfArray([...attachments.map(({ filespec }) => filespec), slots.proof.filespec]),
    AcroForm: slots.acroForm,
    Perms: slots.permissions,
    DSS: slots.dss,
  })
  return registerObject(store, catalog)
}
