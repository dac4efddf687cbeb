import { PdfArray, PdfDict, type PdfRef } from '@libpdf/core'
import {
  makeStream,
  nameOf,
  numberOf,
  numbersOf,
  type ObjectStore,
  registerObject,
  textOf,
} from '../pdf/object-store.ts'
import { joinFonts } from './join-fonts.ts'
import { BLANK } from './shape-run.ts'
import { subsetFont } from './subset-font.ts'
import type { Typeface } from './typefaces.ts'

/** A glyph that was drawn, the characters it stands for there, and the code that says both. */
export interface UsedCode {
  /** Counted from 1. */
  code: number
  face: Typeface
  glyph: number
  text: string
}

/** Width of a glyph as it stands in the file, in thousandths of the text size. */
export function measureGlyph(face: Typeface, glyph: number): number {
  if (glyph === BLANK) return 0
  return Math.round((face.font.glyphHAdvance(glyph) * 100_000) / face.unitsPerEm) / 100
}

/**
 * A composite font (ISO 32000-2 section 9.7) with codes of our own: outlines of the used glyphs, widths, and for each code
 * its glyph and its characters.
 * @param codes From 1 upwards without gaps; all faces have the same name.
 */
export function embedTypeface(store: ObjectStore, codes: readonly UsedCode[]): PdfRef {
  const faces = [...new Set(codes.map(({ face }) => face))]
  const parts = faces.map((face) => {
    const glyphs = [...new Set(codes.filter((used) => used.face === face).map(({ glyph }) => glyph))]
    glyphs.sort((a, b) => a - b)
    return { bytes: subsetFont(face.bytes, glyphs, face.weight), glyphs }
  })
  const { bytes: file, numbers } = joinFonts(parts)
  const face = faces[0]!
  const scale = 1000 / face.unitsPerEm
  const name = nameOf(`${makeSubsetTag(parts.flatMap(({ glyphs }) => glyphs))}+${face.name}`)
  const glyphMap = Buffer.alloc(2 * (codes.length + 1))
  for (const { code, face: from, glyph } of codes) {
    glyphMap.writeUInt16BE(numbers[faces.indexOf(from)]!.get(glyph) ?? BLANK, 2 * code)
  }
  const descriptor = PdfDict.of({
    Type: nameOf('FontDescriptor'),
    FontName: name,
    Flags: numberOf(face.name.startsWith('mono') ? 0b101 : 0b100),
    FontBBox: numbersOf(face.box.map((unit) => Math.round(unit * scale))),
    ItalicAngle: numberOf(0),
    Ascent: numberOf(Math.round(face.ascent * scale)),
    Descent: numberOf(Math.round(face.descent * scale)),
    CapHeight: numberOf(700),
    StemV: numberOf(80),
    FontFile2: registerObject(store, makeStream({ Length1: numberOf(file.length) }, file)),
  })
  const widths = new PdfArray([numberOf(1), numbersOf(codes.map((used) => measureGlyph(used.face, used.glyph)))])
  const descendant = PdfDict.of({
    Type: nameOf('Font'),
    Subtype: nameOf('CIDFontType2'),
    BaseFont: name,
    CIDSystemInfo: PdfDict.of({ Registry: textOf('Adobe'), Ordering: textOf('Identity'), Supplement: numberOf(0) }),
    FontDescriptor: registerObject(store, descriptor),
    // two bytes for every code from 0: its glyph (ISO 32000-2 table 115)
    CIDToGIDMap: registerObject(store, makeStream({}, glyphMap)),
    DW: numberOf(1000),
    W: widths,
  })
  return registerObject(
    store,
    PdfDict.of({
      Type: nameOf('Font'),
      Subtype: nameOf('Type0'),
      BaseFont: name,
      Encoding: nameOf('Identity-H'),
      DescendantFonts: new PdfArray([registerObject(store, descendant)]),
      ToUnicode: registerObject(store, makeStream({}, writeToUnicode(codes))),
    }),
  )
}

/** Six capital letters that differ between subsets of one face (ISO 32000-2 section 9.9.2). */
function makeSubsetTag(glyphs: number[]): string {
  let hash = 2166136261
  for (const glyph of glyphs) hash = Math.imul(hash ^ glyph, 16777619) >>> 0
  let tag = ''
  for (let i = 0; i < 6; i++) {
    tag += String.fromCharCode(65 + (hash % 26))
    hash = Math.floor(hash / 26)
  }
  return tag
}

/** ISO 32000-2 section 9.10.3; at most 100 entries a block. */
function writeToUnicode(codes: readonly UsedCode[]): string {
  let map =
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Proofdesk-UCS def\n/CMapType 2 def\n'
  map += '1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n'
  for (let i = 0; i < codes.length; i += 100) {
    const block = codes.slice(i, i + 100)
    map += `${block.length} beginbfchar\n`
    for (const { code, text } of block) {
      const characters = Buffer.from(text, 'utf16le').swap16().toString('hex')
      map += `<${code.toString(16).padStart(4, '0')}> <${characters}>\n`
    }
    map += 'endbfchar\n'
  }
  return `${map}endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`
}
