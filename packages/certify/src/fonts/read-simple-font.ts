import { PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import type { FontProgram } from './font-program.ts'
import type { SimpleFont } from './glyph-readings.ts'
import { readDifferences } from './read-differences.ts'

const SYMBOLIC = 4
const NONSYMBOLIC = 32
const BASES = new Set(['MacRomanEncoding', 'WinAnsiEncoding', 'MacExpertEncoding'])
/** It names 256 codes. */
const MAX_TO_UNICODE_BYTES = 1 << 20

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
    toUnicode: readToUnicode(store, resolve(font.get('ToUnicode'))),
    firstCode: readNumber(font.get('FirstChar'), resolve) ?? 0,
  }
}

/** Single codes and the characters they mean: of a list of characters the first. */
function readToUnicode(store: ObjectStore, stream: PdfObject | undefined): Map<number, number> | undefined {
  if (!(stream instanceof PdfStream)) return undefined
  const content = decodeContent(store, stream, MAX_TO_UNICODE_BYTES)
  const text = Buffer.from(content ?? '').toString('latin1')
  const meant = new Map<number, number>()
  const read = (digits: string | undefined): number => Number.parseInt(digits?.replaceAll(/\s/g, '') ?? '', 16)
  for (const [, list = ''] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code, to] of list.matchAll(/<([\s\da-f]*)>\s*<([\s\da-f]{4})/gi)) meant.set(read(code), read(to))
  for (const [, list = ''] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from, last, to, several] of list.matchAll(RANGE))
      for (let code = read(from); code <= Math.min(255, read(last)); code++) {
        const one = several?.split('>')[code - read(from)]?.replace(/^\s*</, '').slice(0, 4)
        meant.set(code, to === undefined ? read(one) : read(to) + code - read(from))
      }
  for (const [code, to] of meant) if (Number.isNaN(code + to)) meant.delete(code)
  return meant
}

const RANGE = /<([\s\da-f]*)>\s*<([\s\da-f]*)>\s*(?:<([\s\da-f]{4})[\s\da-f]*>|\[([^\]]*)\])/gi
