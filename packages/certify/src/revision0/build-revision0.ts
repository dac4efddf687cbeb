import { createHash } from 'node:crypto'
import { assembleRevision0 } from './assemble-revision0.ts'
import { checkRevision0 } from './check-revision0.ts'
import { type CopiedDocument, copyDocument } from './copy-original.ts'
import type { CertifiedOriginal } from '../certificate/manifest.ts'
import { createObjectStore } from '../pdf/object-store.ts'
import { writeFile } from '../pdf/write-file.ts'
import { withTypefaces } from '../text/choose-typeface.ts'
import type { BuildRequest, BuiltRevision, CertificateFields, SourceDocument } from '../types.ts'
import { writeDurably } from '../write-durably.ts'

/**
 * Builds revision 0 of a certified PDF: certificate pages, then every page of every document in order, each stamped; the
 * manifest; the reserved slots. It is scanned with the verifier's own scanner before its hash goes anywhere, and durable
 * at `outPath` when this returns. On failure nothing is left there.
 * @throws CertifyError `document_refused` (with `document` and `reason`), `build_failed`.
 */
export async function buildRevision0(request: BuildRequest): Promise<BuiltRevision> {
  const { fields, documents, outPath } = request
  const store = createObjectStore()
  const copied: CopiedDocument[] = []
  let pagesLeft = request.maxPages
  for (const [index, source] of documents.entries()) {
    const document = await copyDocument(store, source, index, pagesLeft)
    pagesLeft -= document.pages.length
    copied.push(document)
  }
  const { root, info, pages, originals } = await withTypefaces(listPrintedTexts(fields, documents), () =>
    assembleRevision0(store, fields, copied),
  )
  const pieces: Uint8Array[] = []
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
    pages,
    facts: JSON.stringify(facts),
    removed: originals.flatMap(({ removed }, document) => (removed.length > 0 ? [{ document, kinds: removed }] : [])),
  }
}

/** What people wrote and the certificate shows. */
function listPrintedTexts(fields: CertificateFields, documents: readonly SourceDocument[]): string[] {
  const { title, username, reviewer, organisation, description } = fields
  return [
    title,
    username,
    reviewer,
    organisation,
    description,
    ...documents.flatMap((one) => [one.title, one.fileName]),
  ]
}

/** Stable for the same proof and originals; says nothing by itself. */
function makeFileId(fields: CertificateFields, originals: readonly CertifiedOriginal[]): string {
  const hash = createHash('sha256').update(fields.proofId)
  for (const { source } of originals) hash.update(source.sha256)
  return hash.digest('hex').slice(0, 32)
}
