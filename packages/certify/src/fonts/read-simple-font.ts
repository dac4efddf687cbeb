import { PdfDict, PdfName } from '@libpdf/core'
import { type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import type { FontProgram } from './font-program.ts'
import type { SimpleFont } from './glyph-readings.ts'
import { readDifferences } from './read-differences.ts'
import { readToUnicode } from './read-to-unicode.ts'

const SYMBOLIC = 4
const NONSYMBOLIC = 32
const BASES = new Set(['MacRomanEncoding', 'WinAnsiEncoding', 'MacExpertEncoding'])
/** Of one byte. */
const LAST_CODE = 255

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** What readers choose the glyphs of the font by, as it stands in the file. */
export function readSimpleFont(
  store: ObjectStore,
  font: PdfDict,
  descriptor: PdfDict,
  program: FontProgram,
): SimpleFont {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const encoding = resolve(font.get('Encoding'))
  const base = encoding instanceof PdfDict ? resolve(encoding.get('BaseEncoding')) : encoding
  const flags = readNumber(descriptor.get('Flags'), resolve) ?? NONSYMBOLIC
  return {
    program,
    isSymbolic: (flags & SYMBOLIC) !== 0,
    isNonsymbolic: (flags & NONSYMBOLIC) !== 0,
    base: base instanceof PdfName && BASES.has(base.value) ? (base.value as SimpleFont['base']) : undefined,
    hasOwnEncoding: encoding instanceof PdfDict,
    differences:
      encoding instanceof PdfDict ? readDifferences(resolve(encoding.get('Differences')), resolve) : undefined,
    toUnicode: readToUnicode(store, resolve(font.get('ToUnicode')), LAST_CODE),
    firstCode: readNumber(font.get('FirstChar'), resolve) ?? 0,
  }
}
