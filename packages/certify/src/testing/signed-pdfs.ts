import { makePdf } from '../testing.ts'

/** A PDF that is signed revision after revision, as any program would. */
export interface SignablePdf {
  bytes: Buffer
  /** Number of the next new object. */
  next: number
  /** Numbers of the fields in its form. */
  fields: readonly number[]
}

export interface SignatureRequest {
  subFilter?: string
  /** DER of the container for these bytes. */
  sign(content: Buffer): Promise<Uint8Array> | Uint8Array
  /** Further keys of the signature dictionary. */
  keys?: string
  /** Where the field is named: in the form, below another field of the form, or on the page alone. */
  place?: 'form' | 'kid' | 'page'
  /** What is written as /ByteRange instead of the truth. */
  lie?(range: [number, number, number, number]): readonly number[]
}

/** Room for the container, in bytes. */
const HOLE_BYTES = 12_000
const PAGE = 4
const RANGE_ROOM = 60

export function makeSignablePdf(text = 'Agreement'): SignablePdf {
  return { bytes: makePdf({ text }), next: 6, fields: [] }
}

/** One revision after the other. */
export async function signPdf(...requests: SignatureRequest[]): Promise<Buffer> {
  let pdf = makeSignablePdf()
  for (const request of requests) pdf = await addSignature(pdf, request)
  return pdf.bytes
}

/** Appends a revision with one signature over all that is there then. */
export async function addSignature(pdf: SignablePdf, request: SignatureRequest): Promise<SignablePdf> {
  const { subFilter = 'adbe.pkcs7.detached', keys = "/M (D:20260102030405+01'00')", place = 'form' } = request
  const [signature, field, parent] = [pdf.next, pdf.next + 1, pdf.next + 2]
  const fields = place === 'page' ? pdf.fields : [...pdf.fields, place === 'kid' ? parent : field]
  const type = place === 'kid' ? `/Parent ${parent} 0 R` : '/FT /Sig'
  const objects: [number, string][] = [
    [1, `<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [${refer(fields)}] >> >>`],
    [
      signature,
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${subFilter} ${keys} /ByteRange ${' '.repeat(RANGE_ROOM)} ` +
        `/Contents <${'00'.repeat(HOLE_BYTES)}> >>`,
    ],
    [
      field,
      `<< /Type /Annot /Subtype /Widget ${type} /T (S${field}) /V ${signature} 0 R /F 2 /Rect [0 0 0 0] /P ${PAGE} 0 R >>`,
    ],
    [parent, `<< /FT /Sig /T (P${parent}) /Kids [${field} 0 R ${parent} 0 R] >>`],
  ]
  if (place === 'page')
    objects.push([PAGE, `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots [${field} 0 R] >>`])
  const bytes = appendObjects(pdf.bytes, objects, parent + 1)
  const gapStart = bytes.indexOf('/Contents <', pdf.bytes.length) + '/Contents '.length
  const gapEnd = gapStart + 2 * HOLE_BYTES + 2
  const range: [number, number, number, number] = [0, gapStart, gapEnd, bytes.length - gapEnd]
  const written = request.lie?.(range) ?? range
  const rangeAt = bytes.lastIndexOf('/ByteRange', gapStart) + '/ByteRange '.length
  bytes.write(`[${written.join(' ')}]`.padEnd(RANGE_ROOM), rangeAt, 'latin1')
  // who lies signs the lie, as far as there are such bytes
  const [start, until, from, length] = written.map((number) => Math.max(0, number)) as typeof range
  const container = await request.sign(
    Buffer.concat([bytes.subarray(start, until), bytes.subarray(from, from + length)]),
  )
  bytes.write(Buffer.from(container).toString('hex'), gapStart + 1, 'latin1')
  return { bytes, next: parent + 1, fields }
}

const refer = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(' ')

/** An incremental update. */
export function appendObjects(bytes: Buffer, objects: readonly [number, string][], size: number): Buffer {
  const text = bytes.toString('latin1')
  const previous = text.slice(text.lastIndexOf('startxref') + 10).split('\n')[0]
  let whole = text
  let entries = ''
  for (const [number, body] of objects) {
    entries += `${number} 1\n${String(whole.length).padStart(10, '0')} 00000 n \n`
    whole += `${number} 0 obj\n${body}\nendobj\n`
  }
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Prev ${previous} >>\n`
  return Buffer.from(`${whole}xref\n${entries}${trailer}startxref\n${whole.length}\n%%EOF\n`, 'latin1')
}

/** The text of the newest object of that number. */
export function readObject(bytes: Buffer, number: number): string {
  const text = bytes.toString('latin1')
  const head = `\n${number} 0 obj\n`
  const start = text.lastIndexOf(head) + head.length
  return text.slice(start, text.indexOf('\nendobj', start))
}

/** The first signature's hex string, with its angle brackets. */
export function findGap(bytes: Buffer): { start: number; end: number } {
  const start = bytes.indexOf('/Contents <') + '/Contents '.length
  return { start, end: bytes.indexOf('>', start) + 1 }
}
