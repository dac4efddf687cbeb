import { PdfDict } from '@libpdf/core'
import { nameOf, type ObjectStore } from '../pdf/object-store.ts'
import { formatPoints } from '../pdf/format-points.ts'
import { embedTypeface, measureGlyph, type UsedGlyphs } from './embed-typeface.ts'
import type { PlacedGlyph, ShapedLine } from './shape-line.ts'
import type { Typeface } from './typefaces.ts'

/** Collects the glyphs that were drawn, so that each face is embedded once with nothing else in it. */
export interface Ink {
  used: Map<Typeface, UsedGlyphs>
  /** Shared by every page that has text; filled by `embedInk`. */
  fonts: PdfDict
}

export function createInk(): Ink {
  return { used: new Map(), fonts: new PdfDict() }
}

/**
 * Content stream operators that draw the line with its left end at x and its baseline at y, in the current fill colour.
 * The whole line carries its logical text, because glyphs stand in the order in which they are seen (ISO 32000-2, 14.9.4).
 */
export function drawLine(ink: Ink, line: ShapedLine, x: number, y: number, size: number): string {
  if (line.glyphs.length === 0) return ''
  let operators = `/Span <</ActualText <${encodeUtf16(line.text)}>>> BDC\nBT\n`
  let face: Typeface | undefined
  for (let i = 0; i < line.glyphs.length;) {
    const first = line.glyphs[i]!
    if (first.face !== face) {
      face = first.face
      operators += `/${resourceName(face)} ${formatPoints(size)} Tf\n`
    }
    let end = i + 1
    while (end < line.glyphs.length && line.glyphs[end]!.face === face && line.glyphs[end]!.y === first.y) end++
    const left = formatPoints(x + (first.x * size) / 1000)
    const base = formatPoints(y + (first.y * size) / 1000)
    operators += `1 0 0 1 ${left} ${base} Tm [${writeGlyphs(ink, line.glyphs.slice(i, end))}] TJ\n`
    i = end
  }
  return `${operators}ET\nEMC\n`
}

/** Operands of TJ: glyph numbers, and between them what the next one is moved to the left, in thousandths of the size. */
function writeGlyphs(ink: Ink, glyphs: readonly PlacedGlyph[]): string {
  let operands = '<'
  // viewers add up the widths that are in the file, so rounding must not add up with them
  let pen = glyphs[0]!.x
  for (const { face, glyph, x, text } of glyphs) {
    const shift = Math.round((pen - x) * 10) / 10
    if (shift !== 0) operands += `>${formatPoints(shift)}<`
    operands += glyph.toString(16).padStart(4, '0')
    pen += measureGlyph(face, glyph) - shift
    noteGlyph(ink, face, glyph, text)
  }
  return `${operands}>`.replaceAll('<>', '')
}

/** Embeds every face that was drawn with and fills `ink.fonts`. Called once, when nothing more is drawn. */
export function embedInk(ink: Ink, store: ObjectStore): void {
  for (const [face, glyphs] of ink.used) ink.fonts.set(nameOf(resourceName(face)), embedTypeface(store, face, glyphs))
}

/** UTF-16 with its mark, big-endian, as hex. */
export function encodeUtf16(text: string): string {
  return Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex')
}

const resourceName = (face: Typeface): string => `Pd${face.name}`

function noteGlyph(ink: Ink, face: Typeface, glyph: number, text: string): void {
  let glyphs = ink.used.get(face)
  if (glyphs === undefined) ink.used.set(face, (glyphs = new Map()))
  if (glyphs.get(glyph) === undefined || (glyphs.get(glyph) === '' && text !== '')) glyphs.set(glyph, text)
}
