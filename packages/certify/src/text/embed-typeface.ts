import { PdfArray, PdfDict, type PdfName, type PdfRef, PdfStream } from '@libpdf/core'
import { deflateSync } from 'node:zlib'
import {
  DEFLATE_LEVEL,
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
import { readSfnt } from './sfnt.ts'
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
  const { face } = codes[0]!
  const { name, file, widths, toUnicode } = findParts(codes)
  const scale = 1000 / face.unitsPerEm
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
    FontFile2: registerObject(store, file),
  })
  const descendant = PdfDict.of({
    Type: nameOf('Font'),
    Subtype: nameOf('CIDFontType2'),
    BaseFont: name,
    CIDSystemInfo: PdfDict.of({ Registry: textOf('Adobe'), Ordering: textOf('Identity'), Supplement: numberOf(0) }),
    FontDescriptor: registerObject(store, descriptor),
    CIDToGIDMap: nameOf('Identity'),
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
      ToUnicode: registerObject(store, toUnicode),
    }),
  )
}

/** What follows from the codes alone. Whoever puts it into a file changes nothing of it. */
interface Parts {
  name: PdfName
  file: PdfStream
  widths: PdfArray
  toUnicode: PdfStream
}

/** The labels and the address use the same letters on every certificate, names and titles on many. */
const embedded = new Map<string, Parts>()
const MOST_EMBEDDED = 16
/** Of scripts with many letters no two texts use the same. */
const MOST_CODES = 150

function findParts(codes: readonly UsedCode[]): Parts {
  if (codes.length > MOST_CODES) return makeParts(codes)
  const key = JSON.stringify(codes.map(({ face, glyph, text }) => [face.name, face.source, face.weight, glyph, text]))
  const parts = embedded.get(key) ?? makeParts(codes)
  // What was used last is kept longest.
  embedded.delete(key)
  embedded.set(key, parts)
  if (embedded.size > MOST_EMBEDDED) embedded.delete(embedded.keys().next().value!)
  return parts
}

function makeParts(codes: readonly UsedCode[]): Parts {
  const faces = [...new Set(codes.map(({ face }) => face))]
  const subsets = new Map(
    faces.map((face) => {
      const glyphs = codes.filter((used) => used.face === face).map(({ glyph }) => glyph)
      return [face, face.weight === undefined ? stripFace(face) : subsetFont(face.bytes, glyphs, face.weight)]
    }),
  )
  // a glyph with several codes is there several times, which costs less than a map from codes to glyphs
  const file = joinFonts(codes.map(({ face, glyph }) => ({ font: subsets.get(face)!, glyph })))
  return {
    name: nameOf(`${makeSubsetTag(codes)}+${faces[0]!.name}`),
    file: makeStream({ Length1: numberOf(file.length) }, file),
    widths: new PdfArray([numberOf(1), numbersOf(codes.map((used) => measureGlyph(used.face, used.glyph)))]),
    toUnicode: deflateStream(writeToUnicode(codes)),
  }
}

const stripped = new WeakMap<Uint8Array, Uint8Array>()

/** All outlines of a static face as they are embedded: made once, since nearly every certificate is set in the same few faces. */
function stripFace({ bytes }: Typeface): Uint8Array {
  const known = stripped.get(bytes)
  if (known) return known
  const count = readSfnt(bytes).maxp.getUint16(4)
  const all = subsetFont(
    bytes,
    Array.from({ length: count }, (_, glyph) => glyph),
  )
  stripped.set(bytes, all)
  return all
}

/** Six capital letters that differ between subsets of one face (ISO 32000-2 section 9.9.2). */
function makeSubsetTag(codes: readonly UsedCode[]): string {
  let hash = 2166136261
  for (const { glyph } of codes) hash = Math.imul(hash ^ glyph, 16777619) >>> 0
  let tag = ''
  for (let i = 0; i < 6; i++) {
    tag += String.fromCharCode(65 + (hash % 26))
    hash = Math.floor(hash / 26)
  }
  return tag
}

/** Half of these maps is the same frame, so even short ones are worth it. */
const deflateStream = (text: string): PdfStream =>
  PdfStream.fromDict(
    { Filter: nameOf('FlateDecode') },
    deflateSync(Buffer.from(text, 'latin1'), { level: DEFLATE_LEVEL }),
  )

/** ISO 32000-2 section 9.10.3: ranges of at most 100 codes that have their first byte in common. */
function writeToUnicode(codes: readonly UsedCode[]): string {
  let map =
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Proofdesk-UCS def\n/CMapType 2 def\n'
  map += '1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n'
  for (let start = 0; start < codes.length;) {
    const first = codes[start]!.code
    const range = codes.slice(start, start + Math.min(100, 256 - (first % 256)))
    const texts = range.map(({ text }) => `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`)
    map += `1 beginbfrange\n<${writeCode(first)}> <${writeCode(range.at(-1)!.code)}> [${texts.join('')}]\nendbfrange\n`
    start += range.length
  }
  return `${map}endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`
}

const writeCode = (code: number): string => code.toString(16).padStart(4, '0')
