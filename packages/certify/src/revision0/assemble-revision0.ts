import { PdfDict, type PdfRef } from '@libpdf/core'
import { drawRosette } from '@proofdesk/proof/rosette'
import { PAGE_HEIGHT, PAGE_WIDTH } from '../certificate/canvas.ts'
import { drawCertificate } from '../certificate/draw-certificate.ts'
import { drawRings, FIGURE } from '../certificate/draw-rings.ts'
import { MANIFEST_FILE_NAME, writeManifest } from '../certificate/manifest.ts'
import { attachFile } from '../pdf/attach-file.ts'
import { makeCatalog } from '../pdf/make-catalog.ts'
import { makeStream, nameOf, numbersOf, type ObjectStore, registerObject, textOf } from '../pdf/object-store.ts'
import { formatPdfDate } from '../pdf/pdf-date.ts'
import type { PageObject } from '../review-document/page-entries.ts'
import { drawStamp, type Ground, makeStamp, type Stamp, stampPage } from './stamp-page.ts'
import { createInk, embedInk } from '../text/ink.ts'
import type { CertificateFields, CertifiedSource } from '../types.ts'

/** Everything is in the store; what remains is to write it. */
export interface AssembledRevision {
  root: PdfRef
  info: PdfRef
  pages: number
}

/**
 * Draws the certificate, stamps every page, and ties everything together under a catalog.
 * @param store Holds nothing yet but what stands already: the pages of the review document get the numbers they have there.
 * @param pages Of all sources together, in order.
 */
export function assembleRevision0(
  store: ObjectStore,
  fields: CertificateFields,
  sources: readonly CertifiedSource[],
  pages: readonly PageObject[],
): AssembledRevision {
  const stamped = pages.map(({ entries }) => registerObject(store, entries))
  const ink = createInk(store)
  const certificate = drawCertificate(ink, fields, sources)
  const count = certificate.pages.length + pages.length
  const stamp = makeStamp(store, ink, fields.proofId, fields.verifyUrl, count)
  const figure = addFigure(store, fields.proofId)
  const front = certificate.pages.map((content, i) => addCertificatePage(store, figure, stamp, content, i + 1))
  const grounds = sources.flatMap(({ type, pages: own }) =>
    Array<Ground>(own).fill(type === 'PDF' ? 'copied' : 'image'),
  )
  for (const [i, page] of pages.entries()) stampPage(store, page, stamp, front.length + i + 1, grounds[i]!)
  embedInk(ink, store)
  const refs = [...front, ...stamped]
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
  return { root, info, pages: count }
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
