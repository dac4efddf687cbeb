import { PdfDict, type PdfRef } from '@libpdf/core'
import { drawRosette } from '@proofdesk/proof/rosette'
import { PAGE_HEIGHT, PAGE_WIDTH } from '../certificate/canvas.ts'
import { drawCertificate } from '../certificate/draw-certificate.ts'
import { drawRings, FIGURE } from '../certificate/draw-rings.ts'
import type { CopiedDocument } from './copy-original.ts'
import { type CertifiedOriginal, MANIFEST_FILE_NAME, writeManifest } from '../certificate/manifest.ts'
import { attachFile } from '../pdf/attach-file.ts'
import { makeCatalog } from '../pdf/make-catalog.ts'
import { makeStream, nameOf, numbersOf, type ObjectStore, registerObject, textOf } from '../pdf/object-store.ts'
import { formatPdfDate } from '../pdf/pdf-date.ts'
import { drawStamp, makeStamp, type Stamp, stampPage } from './stamp-page.ts'
import { createInk, embedInk } from '../text/ink.ts'
import type { CertificateFields } from '../types.ts'

/** Everything is in the store; what remains is to write it. */
export interface AssembledRevision {
  root: PdfRef
  info: PdfRef
  pages: number
  originals: CertifiedOriginal[]
}

/** Draws the certificate, stamps every page, and ties everything together under a catalog. */
export function assembleRevision0(
  store: ObjectStore,
  fields: CertificateFields,
  copied: readonly CopiedDocument[],
): AssembledRevision {
  const ink = createInk(store)
  const certificate = drawCertificate(
    ink,
    fields,
    copied.map(({ source, pages, removed, wasSigned }) => ({ source, pages: pages.length, removed, wasSigned })),
  )
  const count = certificate.pages.length + copied.reduce((sum, document) => sum + document.pages.length, 0)
  const stamp = makeStamp(store, ink, fields.proofId, fields.verifyUrl, count)
  const figure = addFigure(store, fields.proofId)
  const front = certificate.pages.map((content, i) => addCertificatePage(store, figure, stamp, content, i + 1))
  const taken = new Set<number>()
  for (const [i, document] of copied.entries()) {
    stampDocument(store, document, stamp, certificate.originals[i]!.firstPage, taken)
  }
  embedInk(ink, store)
  const refs = [...front, ...copied.flatMap((document) => document.pages)]
  const written = formatPdfDate(fields.approvedAt)
  const manifest = attachFile(store, {
    fileName: MANIFEST_FILE_NAME,
    mediaType: 'application/json',
    description: 'Machine-readable certificate',
    bytes: writeManifest(fields, certificate.originals),
    modifiedAt: written,
  })
  const root = makeCatalog(store, refs, [manifest])
  const info = registerObject(
    store,
    PdfDict.of({
      Title: textOf(fields.title),
      Author: textOf(fields.organisation),
      Subject: textOf(fields.proofId),
      Producer: textOf('Proofdesk'),
      CreationDate: textOf(written),
      ModDate: textOf(written),
    }),
  )
  return { root, info, pages: count, originals: certificate.originals }
}

/** The rosette of the Proof ID, in a box of 100 by 100. */
function addFigure(store: ObjectStore, proofId: string): PdfRef {
  const entries = { Type: nameOf('XObject'), Subtype: nameOf('Form'), BBox: numbersOf([0, 0, 100, 100]) }
  return registerObject(store, makeStream(entries, drawRings(drawRosette(proofId, 'large').rings)))
}

function addCertificatePage(
  store: ObjectStore,
  figure: PdfRef,
  stamp: Stamp,
  content: string,
  pageNumber: number,
): PdfRef {
  const view = { matrix: [1, 0, 0, 1, 0, 0], width: PAGE_WIDTH }
  const forms = PdfDict.of({ [FIGURE]: figure, PdMark: stamp.mark, PdAddress: stamp.address })
  return registerObject(
    store,
    PdfDict.of({
      Type: nameOf('Page'),
      MediaBox: numbersOf([0, 0, PAGE_WIDTH, PAGE_HEIGHT]),
      Resources: PdfDict.of({ Font: stamp.ink.fontsRef, XObject: forms }),
      Contents: registerObject(store, makeStream({}, content + drawStamp(view, stamp, pageNumber, 'certificate'))),
    }),
  )
}

function stampDocument(
  store: ObjectStore,
  document: CopiedDocument,
  stamp: Stamp,
  firstPage: number,
  taken: Set<number>,
): void {
  for (const [i, ref] of document.pages.entries()) {
    const page = store.objects[ref.objectNumber]
    if (!(page instanceof PdfDict)) continue
    if (document.imagePage === undefined) {
      stampPage(store, page, stamp, firstPage + i, taken)
      continue
    }
    const { content, image, width } = document.imagePage
    const view = { matrix: [1, 0, 0, 1, 0, 0], width }
    const forms = PdfDict.of({ PdImage: image, PdMark: stamp.mark, PdAddress: stamp.address })
    page.set('Resources', PdfDict.of({ XObject: forms, Font: stamp.ink.fontsRef }))
    const drawn = content + drawStamp(view, stamp, firstPage + i, 'image')
    page.set('Contents', registerObject(store, makeStream({}, drawn)))
  }
}
