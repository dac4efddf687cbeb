import { PdfArray, PdfDict, type PdfRef } from '@libpdf/core'
import { type Revision0Facts, scanRevision0 } from '@proofdesk/proof/pdf-layout/scan'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { drawCertificate } from './certificate/draw-certificate.ts'
import { PAGE_HEIGHT, PAGE_WIDTH } from './certificate/canvas.ts'
import { CertifyError, Refusal } from './errors.ts'
import { embedImage } from './image/embed-image.ts'
import { makeImagePage } from './image/image-page.ts'
import { type CertifiedOriginal, MANIFEST_FILE_NAME, writeManifest } from './manifest.ts'
import { attachFile, makeAttachmentTree } from './pdf/attach-file.ts'
import { copyPages } from './pdf/copy-pages.ts'
import { loadPdf } from './pdf/load-pdf.ts'
import { createLayers, type Layers, makeLayerProperties } from './pdf/merge-layers.ts'
import {
  createObjectStore,
  makeStream,
  nameOf,
  numberOf,
  numbersOf,
  type ObjectStore,
  registerObject,
  textOf,
} from './pdf/object-store.ts'
import { reserveSlots } from './pdf/reserve-slots.ts'
import { writeFile } from './pdf/write-file.ts'
import { formatPdfDate } from './pdf-date.ts'
import { drawStamp, makeStamp, type Stamp, stampPage } from './stamp-page.ts'
import { createInk, embedInk, type Ink } from './text/ink.ts'
import type { BuildRequest, BuiltRevision, CertificateFields, SourceDocument } from './types.ts'
import { writeDurably } from './write-durably.ts'

/**
 * Builds revision 0 of a certified PDF: certificate pages, then every page of every document in order, each stamped; the
 * manifest; the reserved slots. It is scanned with the verifier's own scanner before its hash goes anywhere, and durable
 * at `outPath` when this returns. On failure nothing is left there.
 * @throws CertifyError `document_refused` (with `document` and `reason`), `build_failed`.
 */
export async function buildRevision0(request: BuildRequest): Promise<BuiltRevision> {
  const { fields, documents, outPath } = request
  const store = createObjectStore()
  const layers = createLayers()
  const copied: CopiedDocument[] = []
  let pagesLeft = request.maxPages
  for (const [index, source] of documents.entries()) {
    const document = await copyDocument(store, layers, source, index, pagesLeft)
    pagesLeft -= document.pages.length
    copied.push(document)
  }
  const { pages, originals } = assemble(store, layers, fields, copied)
  const pieces: Uint8Array[] = []
  const { root, info } = pages
  writeFile(store, { root, info, id: makeFileId(fields, originals) }, (bytes) => pieces.push(bytes))
  // originals and objects may be freed before the whole file stands in memory once more
  store.objects.length = 1
  copied.length = 0
  const revision = Buffer.concat(pieces)
  pieces.length = 0
  const facts = checkRevision0(revision)
  const sha256 = createHash('sha256').update(revision).digest('hex')
  await writeDurably(outPath, revision)
  return {
    sha256,
    sizeBytes: revision.length,
    pages: pages.count,
    facts: JSON.stringify(facts),
    removed: originals.flatMap(({ removed }, document) => (removed.length > 0 ? [{ document, kinds: removed }] : [])),
  }
}

/** A document's pages in the store, not yet stamped. */
export interface CopiedDocument {
  source: SourceDocument
  pages: PdfRef[]
  /** What an image page draws; undefined for pages of a PDF, which bring their own content. */
  imagePage: { content: string; image: PdfRef; width: number } | undefined
  removed: string[]
  wasSigned: boolean
}

async function copyDocument(
  store: ObjectStore,
  layers: Layers,
  source: SourceDocument,
  index: number,
  pagesLeft: number,
): Promise<CopiedDocument> {
  const bytes = await readOriginal(source, index)
  try {
    return await copyOriginal(store, layers, source, bytes, pagesLeft)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new CertifyError('document_refused', error.message, { cause: error, document: index, reason: error.reason })
  }
}

/** @throws Refusal. */
export async function copyOriginal(
  store: ObjectStore,
  layers: Layers,
  source: SourceDocument,
  bytes: Uint8Array,
  pagesLeft: number,
): Promise<CopiedDocument> {
  if (pagesLeft < 1) throw new Refusal('too_many_pages', 'no pages left')
  if (source.type === 'PDF') {
    const copy = copyPages(await loadPdf(bytes, pagesLeft), store, layers)
    return { source, imagePage: undefined, ...copy }
  }
  const image = await embedImage(store, bytes, source.type)
  const { page, content, width } = makeImagePage(image)
  const imagePage = { content, image: image.ref, width }
  return { source, pages: [registerObject(store, page)], imagePage, removed: [], wasSigned: false }
}

/** The bytes that were hashed at upload, or nothing: a proof must not speak of other bytes than it contains. */
async function readOriginal(source: SourceDocument, index: number): Promise<Uint8Array> {
  const bytes = await readFile(source.path)
  if (createHash('sha256').update(bytes).digest('hex') !== source.sha256) {
    throw new CertifyError('build_failed', `document ${index} is not the file whose SHA-256 was recorded`)
  }
  return bytes
}

interface AssembledPages {
  root: PdfRef
  info: PdfRef
  count: number
}

/** Draws the certificate, stamps every page, and ties everything together under a catalog. */
function assemble(
  store: ObjectStore,
  layers: Layers,
  fields: CertificateFields,
  copied: readonly CopiedDocument[],
): { pages: AssembledPages; originals: CertifiedOriginal[] } {
  const ink = createInk()
  const certificate = drawCertificate(
    ink,
    fields,
    copied.map(({ source, pages, removed, wasSigned }) => ({ source, pages: pages.length, removed, wasSigned })),
  )
  const count = certificate.pages.length + copied.reduce((sum, document) => sum + document.pages.length, 0)
  const stamp = makeStamp(store, ink, fields.proofId, fields.verifyUrl, count)
  const front = certificate.pages.map((content, i) => addCertificatePage(store, ink, stamp, content, i + 1))
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
  const root = makeCatalog(store, layers, refs, [manifest])
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
  return { pages: { root, info, count }, originals: certificate.originals }
}

function addCertificatePage(store: ObjectStore, ink: Ink, stamp: Stamp, content: string, pageNumber: number): PdfRef {
  const view = { matrix: [1, 0, 0, 1, 0, 0], width: PAGE_WIDTH }
  return registerObject(
    store,
    PdfDict.of({
      Type: nameOf('Page'),
      MediaBox: numbersOf([0, 0, PAGE_WIDTH, PAGE_HEIGHT]),
      Resources: PdfDict.of({ Font: ink.fonts, XObject: PdfDict.of({ PdMark: stamp.mark, PdAddress: stamp.address }) }),
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
    page.set('Resources', PdfDict.of({ XObject: forms, Font: stamp.ink.fonts }))
    const drawn = content + drawStamp(view, stamp, firstPage + i, 'image')
    page.set('Contents', registerObject(store, makeStream({}, drawn)))
  }
}

/** Page tree, attachments, layers and slots. The first page carries the invisible signature field. */
export function makeCatalog(
  store: ObjectStore,
  layers: Layers,
  refs: readonly PdfRef[],
  attachments: readonly ReturnType<typeof attachFile>[],
): PdfRef {
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
  if (first === undefined || !(firstPage instanceof PdfDict)) throw new CertifyError('build_failed', 'no first page')
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
  const optional = makeLayerProperties(layers)
  if (optional !== undefined) catalog.set('OCProperties', optional)
  return registerObject(store, catalog)
}

/** A file that our own verifier would refuse must never be approved. */
export function checkRevision0(bytes: Uint8Array): Revision0Facts {
  try {
    const facts = scanRevision0(bytes)
    if (facts.sizeBytes === bytes.length) return facts
  } catch (error) {
    throw new CertifyError('build_failed', 'revision 0 is not in layout 1', { cause: error })
  }
  throw new CertifyError('build_failed', 'bytes follow revision 0')
}

/** Stable for the same proof and originals; says nothing by itself. */
function makeFileId(fields: CertificateFields, originals: readonly CertifiedOriginal[]): string {
  const hash = createHash('sha256').update(fields.proofId)
  for (const { source } of originals) hash.update(source.sha256)
  return hash.digest('hex').slice(0, 32)
}
