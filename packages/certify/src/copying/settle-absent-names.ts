import { PdfArray, PdfDict, PdfName } from '@libpdf/core'
import { findProgram } from '../fonts/find-program.ts'
import { findCommonName, findLatinName, readLatinName } from '../fonts/latin-glyphs.ts'
import { MISSING } from '../fonts/outline-program.ts'
import { readDifferences } from '../fonts/read-differences.ts'
import { readToUnicode } from '../fonts/read-to-unicode.ts'
import { nameOf, numberOf, type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'

const KINDS = new Set(['Type1', 'MMType1', 'TrueType'])
/** Of symbols, which have codes of their own. */
const SYMBOLS = new Set(['Symbol', 'ZapfDingbats'])
const LAST_CODE = 255

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Names glyphs of simple fonts that are not there so that all readers take the same of a font of theirs. A name such as `A.alt` is the letter
 * to PDFium and nothing to others, `uni0041` and what the file says of an unknown name only to some; of a code without a glyph
 * PDFium shows what it is said to mean. Symbols have their own codes to the reviewer's reader, whatever encoding is named.
 */
export function settleAbsentNames(store: ObjectStore, fonts: readonly PdfDict[]): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  for (const font of fonts) {
    const kind = resolve(font.get('Subtype'))
    const descriptor = resolve(font.get('FontDescriptor'))
    if (!(kind instanceof PdfName && KINDS.has(kind.value))) continue
    if (descriptor instanceof PdfDict && findProgram(descriptor, resolve) !== undefined) continue
    const name = resolve(font.get('BaseFont'))
    if (name instanceof PdfName && SYMBOLS.has(name.value)) dropEncoding(font, resolve)
    else settleNames(store, font)
  }
}

/** Some readers show nothing of symbols with the encoding of letters. */
function dropEncoding(font: PdfDict, resolve: Resolve): void {
  if (resolve(font.get('Encoding')) instanceof PdfName) font.delete('Encoding')
}

function settleNames(store: ObjectStore, font: PdfDict): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const encoding = resolve(font.get('Encoding'))
  const given = encoding instanceof PdfDict ? readDifferences(resolve(encoding.get('Differences')), resolve) : undefined
  if (!(encoding instanceof PdfDict) || given === undefined) return
  const meant = readToUnicode(store, resolve(font.get('ToUnicode')), LAST_CODE)
  const settled = new Map([...given].map(([code, name]) => [code, findName(name, meant?.get(code))]))
  if ([...settled].some(([code, name]) => name === MISSING && meant?.has(code) === true)) font.delete('ToUnicode')
  if ([...settled].every(([code, name]) => name === given.get(code))) return
  const copy = new PdfDict()
  for (const [key, value] of encoding) copy.set(key.value, value)
  copy.set('Differences', new PdfArray([...settled].flatMap(([code, name]) => [numberOf(code), nameOf(name)])))
  font.set('Encoding', copy)
}

/** @param character That its code is said to mean. */
function findName(name: string, character: number | undefined): string {
  if (name === MISSING || readLatinName(name) !== undefined) return name
  const plain = name.split('.', 1)[0]!
  if (readLatinName(plain) !== undefined) return plain
  return findCommonName(name) ?? (character === undefined ? undefined : findLatinName(character)) ?? name
}
