import { type PDF, PdfName, PdfRef, PdfStream } from '@libpdf/core'

/** Dictionaries of object streams are short. */
const DICTIONARY = 1000

/**
 * Whether a file whose objects had to be searched for holds an object that stands both in an object stream and, behind it,
 * by itself: the newer of two revisions. The parser takes the older one, and nobody would see that something is missing.
 */
export function hasHiddenRevision(pdf: PDF, bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const places = new Map<number, number>()
  for (const found of text.matchAll(/(?<!\d)(\d{1,8})\s+\d{1,5}\s+obj\b/g)) places.set(Number(found[1]), found.index)
  for (const [number, place] of places) {
    // most objects are none, and reading them all would take its time
    if (!text.slice(place, place + DICTIONARY).includes('ObjStm')) continue
    const object = pdf.getObject(PdfRef.of(number, 0))
    if (!(object instanceof PdfStream) || !isObjectStream(object)) continue
    if (listNumbers(object).some((inner) => (places.get(inner) ?? -1) > place)) return true
  }
  return false
}

function isObjectStream(stream: PdfStream): boolean {
  const type = stream.get('Type')
  return type instanceof PdfName && type.value === 'ObjStm'
}

/** Pairs of number and offset stand before the first object (ISO 32000-2 section 7.5.7). */
function listNumbers(stream: PdfStream): number[] {
  const first = stream.getNumber('First')?.value ?? 0
  const head = Buffer.from(stream.getDecodedData().subarray(0, first)).toString('latin1')
  return head
    .trim()
    .split(/\s+/)
    .filter((_, i) => i % 2 === 0)
    .map(Number)
}
