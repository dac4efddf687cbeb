import { createHash } from 'node:crypto'
import { readLatin1, writeLatin1 } from '../bytes.ts'

/** Object numbers of the small document that the tests seal. */
export const OBJECTS = {
  catalog: 1,
  pages: 2,
  page: 3,
  content: 4,
  info: 5,
  acroForm: 6,
  field: 7,
  signatureSlot: 8,
  nameTree: 9,
  manifestSpec: 10,
  manifest: 11,
  proofSpec: 12,
  proofSlot: 13,
  dssSlot: 14,
} as const

/** A document in the making: bodies by object number (index 0 unused) and what the trailer holds besides /Size. */
export interface DraftDocument {
  bodies: string[]
  trailer: string
}

const CONTENT = 'BT /F1 24 Tf 40 120 Td (Certified) Tj ET'
const MANIFEST = '{"documents":[]}'
const ID = '00112233445566778899aabbccddeeff'

export function writeStream(data: string, dictionary = ''): string {
  return `<<${dictionary}/Length ${data.length}>>\nstream\n${data}\nendstream`
}

/** One page, a manifest, and the reserved places. */
export function draftDocument(): DraftDocument {
  const o = OBJECTS
  const bodies: string[] = ['']
  bodies[o.catalog] =
    `<<\n/Type /Catalog\n/Pages ${o.pages} 0 R\n/Names << /EmbeddedFiles ${o.nameTree} 0 R >>\n/AF [${o.manifestSpec} 0 R ${o.proofSpec} 0 R]` +
    `\n/AcroForm ${o.acroForm} 0 R\n/Perms << /DocMDP ${o.signatureSlot} 0 R >>\n/DSS ${o.dssSlot} 0 R\n/Lang (en)\n>>`
  bodies[o.pages] = `<</Type /Pages /Count 1 /Kids [${o.page} 0 R]>>`
  bodies[o.page] =
    `<</Type /Page /Parent ${o.pages} 0 R /MediaBox [0 0 300.5 -.5] /Contents ${o.content} 0 R ` +
    `/Resources <</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>> /Annots [${o.field} 0 R]>>`
  bodies[o.content] = writeStream(CONTENT)
  bodies[o.info] = `<</Title (Nested \\(and (plain)\\) \\101\\\n) /Odd <414> /Flags [true false null -1 +2.5]>>`
  bodies[o.acroForm] = `<</Fields [${o.field} 0 R] /SigFlags 3>>`
  bodies[o.field] =
    `<</Type /Annot /Subtype /Widget /FT /Sig /T (DocumentProof) /V ${o.signatureSlot} 0 R /P ${o.page} 0 R /F 132 /Rect [0 0 0 0]>>`
  bodies[o.signatureSlot] = 'null'
  bodies[o.nameTree] = `<</Names [(manifest.json) ${o.manifestSpec} 0 R (proof.tlog-proof) ${o.proofSpec} 0 R]>>`
  bodies[o.manifestSpec] =
    `<</Type /Filespec /F (manifest.json) /UF (manifest.json) /AFRelationship /Data /EF <</F ${o.manifest} 0 R>>>>`
  bodies[o.manifest] = writeStream(MANIFEST, '/Type /EmbeddedFile')
  bodies[o.proofSpec] =
    `<</Type /Filespec /F (proof.tlog-proof) /UF (proof.tlog-proof) /Desc (Proof) /AFRelationship /Supplement /EF <</F ${o.proofSlot} 0 R /UF ${o.proofSlot} 0 R>>>>`
  bodies[o.proofSlot] = 'null'
  bodies[o.dssSlot] = 'null'
  return { bodies, trailer: `/Root ${o.catalog} 0 R /Info ${o.info} 0 R /ID [<${ID}><${ID}>]` }
}

/** Writes a draft as a whole PDF of one revision, with a cross-reference of the kind asked for. */
function writeRevision0(draft: DraftDocument, kind: 'table' | 'stream' = 'table'): Uint8Array<ArrayBuffer> {
  let text = '%PDF-1.7\n%\u00E2\u00E3\u00CF\u00D3\n'
  const offsets = [0]
  for (const [object, body] of draft.bodies.entries()) {
    if (object === 0) continue
    offsets.push(text.length)
    text += `${object} 0 obj\n${body}\nendobj\n`
  }
  const xref = text.length
  if (kind === 'stream') {
    offsets.push(xref)
    const data = offsets.map((offset, object) => writeEntry(object, offset)).join('')
    const dictionary = `/Type /XRef /Size ${offsets.length} /W [1 4 2] ${draft.trailer}`
    text += `${offsets.length - 1} 0 obj\n${writeStream(data, dictionary)}\nendobj\n`
  } else {
    const lines = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n\r\n`)
    text += `xref\n0 ${offsets.length}\n0000000000 65535 f\r\n${lines.join('')}`
    text += `trailer\n<</Size ${offsets.length} ${draft.trailer}>>\n`
  }
  return writeLatin1(`${text}startxref\n${xref}\n%%EOF\n`)
}

function writeEntry(object: number, offset: number): string {
  const head = Buffer.alloc(7)
  head.writeUInt8(object === 0 ? 0 : 1, 0)
  head.writeUInt32BE(offset, 1)
  head.writeUInt16BE(object === 0 ? 65_535 : 0, 5)
  return readLatin1(head)
}

/** A small document, changed by `edit` before it is written. */
export function makeRevision0(
  edit: (draft: DraftDocument) => void = () => {},
  kind: 'table' | 'stream' = 'table',
): Uint8Array<ArrayBuffer> {
  const draft = draftDocument()
  edit(draft)
  return writeRevision0(draft, kind)
}

/** Replaces text in one body, and makes sure that it was there. */
export function editBody(object: number, from: string | RegExp, to: string): (draft: DraftDocument) => void {
  return ({ bodies }) => {
    const before = bodies[object] ?? ''
    const after = before.replace(from, () => to)
    if (after === before) throw new Error(`object ${object} has no ${from}`)
    bodies[object] = after
  }
}

export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
