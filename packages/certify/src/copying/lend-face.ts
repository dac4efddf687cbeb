import { PdfArray, PdfDict, PdfName } from '@libpdf/core'
import { readMeanings } from '../fonts/read-to-unicode.ts'
import { makeStream, nameOf, type ObjectStore, registerObject, resolveObject } from '../pdf/object-store.ts'
import { embedTypeface, type UsedCode } from '../text/embed-typeface.ts'
import { BLANK, type PlacedGlyph, shapeRun } from '../text/shape-run.ts'
import { loadTypeface, type Typeface } from '../text/typefaces.ts'

const LAST_CODE = 0xffff
/** Stands for letters that our faces lack. */
const UNKNOWN = '\ufffd'
/** A hyphen that programs call a soft one, which is seen wherever it stands in a PDF, and ligatures that are one letter of our faces. */
const STAND_INS: ReadonlyMap<string, string> = new Map([
  ['\u00ad', '-'],
  ...['ff', 'fi', 'fl', 'ffi', 'ffl'].map((letters, i) => [letters, String.fromCharCode(0xfb00 + i)] as const),
])
const STRONG = /bold|black|heavy/i

/**
 * Gives a composite font that is not there our own letters, by the characters that its codes are said to mean: by the numbers of
 * glyphs alone each reader shows letters of another font (ISO 32000-2 section 9.7.5.2). The widths stay. Letters that our faces lack have
 * a mark in their place, so that the reviewer sees that they are missing.
 * @returns false where it does not say what its codes mean.
 */
export function lendFace(store: ObjectStore, font: PdfDict, descendant: PdfDict): boolean {
  const meant = readMeanings(store, resolveObject(store, font.get('ToUnicode')), LAST_CODE)
  if (meant === undefined || meant.size === 0) return false
  const name = resolveObject(store, font.get('BaseFont'))
  const face = loadTypeface(name instanceof PdfName && STRONG.test(name.value) ? 'notoStrong' : 'noto')
  const codes: UsedCode[] = [{ code: 1, face, glyph: findGlyph(face, UNKNOWN) ?? BLANK, text: UNKNOWN }]
  const glyphs = Buffer.alloc(2 * (findLast(meant.keys()) + 1))
  // a letter that many codes mean is there once
  const places = new Map<string, number>()
  for (const [code, characters] of meant) {
    const text = STAND_INS.get(characters) ?? characters
    const glyph = places.has(text) ? undefined : findGlyph(face, text)
    if (glyph !== undefined) {
      codes.push({ code: codes.length + 1, face, glyph, text })
      places.set(text, codes.length)
    }
    glyphs.writeUInt16BE(places.get(text) ?? 1, 2 * code)
  }
  const lent = resolveObject(store, embedTypeface(store, codes))
  const list = lent instanceof PdfDict ? lent.get('DescendantFonts') : undefined
  const below = list instanceof PdfArray ? resolveObject(store, list.at(0)) : undefined
  if (!(below instanceof PdfDict)) return false
  for (const key of ['Subtype', 'BaseFont', 'FontDescriptor', 'CIDSystemInfo']) descendant.set(key, below.get(key)!)
  descendant.set('CIDToGIDMap', registerObject(store, makeStream({}, glyphs)))
  font.set('BaseFont', nameOf((below.get('BaseFont') as PdfName).value))
  return true
}

function findLast(codes: Iterable<number>): number {
  let last = 0
  for (const code of codes) last = Math.max(last, code)
  return last
}

/** Undefined where the face lacks it; what no face shows is blank. */
function findGlyph(face: Typeface, text: string): number | undefined {
  if (/^[\p{Cc}\p{Zs}\p{Default_Ignorable_Code_Point}]$/u.test(text)) return BLANK
  // several that no letter of ours stands for are not shown by their first
  if (text.length > 1 || !face.characters.has(text.charCodeAt(0))) return undefined
  const glyphs: PlacedGlyph[] = []
  shapeRun({ face, level: 0, clusters: [{ text, shaped: text, face, level: 0 }] }, 0, glyphs)
  return glyphs.length === 1 ? glyphs[0]!.glyph : undefined
}
