import { PdfDict, PdfRef, PdfStream } from '@libpdf/core'
import {
  makeStream,
  nameOf,
  numberOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  registerObject,
} from './object-store.ts'
import type { Box } from './page-box.ts'
import { joinContents, listContents, type Part } from './read-content.ts'

/**
 * Turns what a page draws into a form XObject, so that nothing it leaves behind (an unclosed `q`, a stray `Q`, a clipping
 * path, a matrix) reaches what is drawn after it. A page with a single stream is not even inflated.
 * @param taken Numbers of streams already turned into forms: a stream that two pages share is copied for the second.
 * Without them each stream is copied.
 * @returns the form, undefined when the page draws nothing.
 */
export function isolateContent(store: ObjectStore, page: PdfDict, box: Box, taken?: Set<number>): PdfRef | undefined {
  const parts = listContents(store, page.get('Contents'))
  const [first] = parts
  if (first === undefined) return undefined
  const resources = page.get('Resources') ?? new PdfDict()
  const entries: Record<string, PdfObject> = {
    Type: nameOf('XObject'),
    Subtype: nameOf('Form'),
    BBox: numbersOf(box),
    Resources: resources,
  }
  if (parts.length > 1) {
    const joined = joinContents(store, parts)
    if (joined !== undefined) return registerObject(store, makeStream(entries, joined))
    return registerObject(
      store,
      makeStream({ ...entries, Resources: nestParts(store, parts, entries) }, drawParts(parts)),
    )
  }
  const stream = first.stream
  if (taken !== undefined && first.number !== undefined && !taken.has(first.number) && isPlain(stream)) {
    taken.add(first.number)
    for (const [key, value] of Object.entries(entries)) stream.set(key, value)
    return PdfRef.of(first.number, 0)
  }
  return registerObject(store, copyAsForm(stream, entries))
}

/** ISO 32000-2 table 5: what any stream says of its bytes. One that says more may be drawn as a form elsewhere, or would be moved. */
const ENTRIES_OF_BYTES = new Set(['Length', 'Filter', 'DecodeParms', 'DL'])

const isPlain = (stream: PdfStream): boolean => [...stream.keys()].every(({ value }) => ENTRIES_OF_BYTES.has(value))

function copyAsForm(stream: PdfStream, entries: Record<string, PdfObject>): PdfStream {
  const copy = new PdfStream(new PdfDict(), stream.data)
  for (const key of ['Filter', 'DecodeParms']) {
    const value = stream.get(key)
    if (value !== undefined) copy.set(key, value)
  }
  for (const [key, value] of Object.entries(entries)) copy.set(key, value)
  return copy
}

/** Fallback: each part is a form of its own, drawn one after the other. Right whenever parts are cut between objects. */
function nestParts(store: ObjectStore, parts: Part[], entries: Record<string, PdfObject>): PdfDict {
  const forms = new PdfDict()
  for (const [i, { stream }] of parts.entries()) {
    forms.set(`Part${i}`, registerObject(store, copyAsForm(stream, { ...entries, FormType: numberOf(1) })))
  }
  return PdfDict.of({ XObject: forms })
}

function drawParts(parts: Part[]): string {
  return parts.map((_, i) => `/Part${i} Do\n`).join('')
}
