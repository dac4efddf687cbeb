import { PdfArray, PdfDict, PdfName, type Standard14FontName } from '@libpdf/core'
import { readLatinName } from '../fonts/latin-glyphs.ts'
import { readDifferences } from '../fonts/read-differences.ts'
import type { Resolve } from './form-field.ts'
import { readNumber } from '../pdf/object-store.ts'

/** Codes of one byte by the characters that they are sure to show. */
export type Encoding = ReadonlyMap<string, number>

/** What stands where Windows-1252 differs from Latin-1; 0 where nothing does. */
const WINDOWS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'
/** Where the encodings of ISO 32000-2 annex D.2 differ below 127: quotation marks of their own. */
const DIFFERENT_QUOTES = new Set([0x27, 0x60])
/** The same characters for all others below 127; beyond, readers have taken them for one another. */
const ALIKE = new Set(['MacRomanEncoding', 'StandardEncoding', 'PDFDocEncoding'])
const STANDARD_FONTS =
  /^(?:(?:Courier|Helvetica)(?:-(?:Bold|Oblique|BoldOblique))?|Times-(?:Roman|Bold|Italic|BoldItalic))$/
const SYMBOLS = /^(?:Symbol|ZapfDingbats|Wingdings|Webdings)/
/** Shows a hyphen in fonts; in a text it is only where a word may be broken. */
const SOFT_HYPHEN = 0xad
const SUBSET = /^[A-Z]{6}\+/
/** Of fonts (ISO 32000-2 table 121): its codes mean what the font itself says. */
const SYMBOLIC = 1 << 2

export const WIN_ANSI: Encoding = new Map([
  ...listCodes(0x20, 0x7e).map((code) => [String.fromCharCode(code), code] as const),
  ...[...WINDOWS].flatMap((character, i) => (character === '\0' ? [] : [[character, 0x80 + i] as const])),
  ...listCodes(0xa0, 0xff).flatMap((code) =>
    code === SOFT_HYPHEN ? [] : [[String.fromCharCode(code), code] as const],
  ),
])

/** @returns undefined when the text has other characters. */
export function encodeText(text: string, encoding: Encoding): number[] | undefined {
  const codes: number[] = []
  for (const character of text.normalize('NFC')) {
    const isBlank = character < ' ' || character === '\u00a0'
    const code = encoding.get(character) ?? (isBlank ? encoding.get(' ') : undefined)
    if (code === undefined) return undefined
    codes.push(code)
  }
  return codes
}

export const canEncode = (texts: readonly string[], encoding: Encoding): boolean =>
  texts.every((text) => encodeText(text, encoding) !== undefined)

export const isStandardFont = (name: string): name is Standard14FontName => STANDARD_FONTS.test(name)

/**
 * Which code shows which character in a font of one byte for each (ISO 32000-2 section 9.6.5): only what all readers agree on,
 * and what the font has.
 * @returns undefined where that cannot be told without the font's own program.
 */
export function readEncoding(font: PdfDict, resolve: Resolve): Encoding | undefined {
  const kind = readName(font.get('Subtype'), resolve)
  const name = readName(font.get('BaseFont'), resolve) ?? ''
  if (kind === undefined || !['Type1', 'TrueType', 'MMType1'].includes(kind) || SYMBOLS.test(name)) return undefined
  const descriptor = resolve(font.get('FontDescriptor'))
  const isInFile =
    descriptor instanceof PdfDict && ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor.has(key))
  const flags = descriptor instanceof PdfDict ? (readNumber(descriptor.get('Flags'), resolve) ?? 0) : 0
  // a subset has the letters that were drawn with it before
  if (isInFile && (SUBSET.test(name) || (flags & SYMBOLIC) !== 0)) return undefined
  const given = resolve(font.get('Encoding'))
  const base = given instanceof PdfDict ? readName(given.get('BaseEncoding'), resolve) : readName(given, resolve)
  const codes = startCodes(base, isInFile)
  if (codes === undefined) return undefined
  const differences = given instanceof PdfDict ? readDifferences(resolve(given.get('Differences')), resolve) : undefined
  for (const [code, glyph] of differences ?? []) {
    const character = readLatinName(glyph)
    if (character === undefined) codes.delete(code)
    else codes.set(code, character)
  }
  return dropMissing(codes, font, resolve)
}

/** @returns by code. */
function startCodes(base: string | undefined, isInFile: boolean): Map<number, string> | undefined {
  if (base === 'WinAnsiEncoding') return new Map([...WIN_ANSI].map(([character, code]) => [code, character]))
  if (base === undefined ? isInFile : !ALIKE.has(base)) return base === undefined ? new Map() : undefined
  const codes = listCodes(0x20, 0x7e).filter((code) => !DIFFERENT_QUOTES.has(code))
  return new Map(codes.map((code) => [code, String.fromCharCode(code)]))
}

/** A code without a width has no glyph. */
function dropMissing(codes: Map<number, string>, font: PdfDict, resolve: Resolve): Encoding {
  const widths = resolve(font.get('Widths'))
  const first = readNumber(font.get('FirstChar'), resolve) ?? 0
  const hasGlyph = (code: number): boolean =>
    !(widths instanceof PdfArray) || (code >= first && (readNumber(widths.at(code - first), resolve) ?? 0) > 0)
  const encoding = new Map<string, number>()
  for (const [code, character] of codes) {
    if (Number.isInteger(code) && code >= 0 && code <= 255 && hasGlyph(code) && !encoding.has(character))
      encoding.set(character, code)
  }
  return encoding
}

function readName(object: Parameters<Resolve>[0], resolve: Resolve): string | undefined {
  const name = resolve(object)
  return name instanceof PdfName ? name.value : undefined
}

function listCodes(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}
