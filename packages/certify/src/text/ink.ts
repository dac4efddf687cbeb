import { PdfDict, type PdfRef } from '@libpdf/core'
import { nameOf, type ObjectStore, registerObject } from '../pdf/object-store.ts'
import { formatPoints } from '../pdf/format-points.ts'
import { embedTypeface, measureGlyph, type UsedCode } from './embed-typeface.ts'
import { outlineGlyph } from './outline-glyph.ts'
import type { ShapedLine } from './shape-line.ts'
import type { PlacedGlyph } from './shape-run.ts'

/** Marks that are piled up higher, in thousandths of the size, would stand in other people's lines; no language does. */
const MAX_RISE = 500

/** Collects the glyphs that were drawn, so that each face is embedded once with nothing else in it. */
export interface Ink {
  /** By name of the face, then by face, glyph and text; in the order of their codes. */
  used: Map<string, Map<string, UsedCode>>
  /** Shared by every page and form that has text; filled by `embedInk`. */
  fonts: PdfDict
  fontsRef: PdfRef
}

export function createInk(store: ObjectStore): Ink {
  const fonts = new PdfDict()
  return { used: new Map(), fonts, fontsRef: registerObject(store, fonts) }
}

/**
 * Content stream operators that draw the line with its left end at x and its baseline at y, in the current fill colour.
 * Runs are drawn in logical order and the glyphs of each from left to right, each with the characters it stands for: this
 * is what pdftotext and PDF.js make the typed text of. Marks, which have no room of their own, are drawn as outlines.
 */
export function drawLine(ink: Ink, line: ShapedLine, x: number, y: number, size: number): string {
  let operators = ''
  let outlines = ''
  let name: string | undefined
  for (const run of line.runs) {
    const read = run.filter((glyph) => glyph.text !== '')
    for (const glyph of run) {
      if (glyph.text !== '' || Math.abs(glyph.y) > MAX_RISE) continue
      outlines += outlineGlyph(glyph.face, glyph.glyph, x + (glyph.x * size) / 1000, y + (glyph.y * size) / 1000, size)
    }
    for (let i = 0; i < read.length;) {
      const first = read[i]!
      if (first.face.name !== name) {
        name = first.face.name
        operators += `/Pd${name} ${formatPoints(size)} Tf\n`
      }
      let end = i + 1
      while (end < read.length && read[end]!.y === first.y) end++
      const left = formatPoints(x + (first.x * size) / 1000)
      const base = formatPoints(y + (first.y * size) / 1000)
      operators += `1 0 0 1 ${left} ${base} Tm [${writeGlyphs(ink, read.slice(i, end))}] TJ\n`
      i = end
    }
  }
  return operators === '' ? outlines : `BT\n${operators}ET\n${outlines}`
}

/** Operands of TJ: codes, and between them what the next glyph is moved to the left, in thousandths of the size. */
function writeGlyphs(ink: Ink, glyphs: readonly PlacedGlyph[]): string {
  let operands = '<'
  // viewers add up the widths that are in the file, so rounding must not add up with them
  let pen = glyphs[0]!.x
  for (const placed of glyphs) {
    const shift = Math.round((pen - placed.x) * 10) / 10
    if (shift !== 0) operands += `>${formatPoints(shift)}<`
    operands += noteCode(ink, placed).toString(16).padStart(4, '0')
    pen += measureGlyph(placed.face, placed.glyph) - shift
  }
  return `${operands}>`.replaceAll('<>', '')
}

/** Embeds every face that was drawn with and fills `ink.fonts`. Called once, when nothing more is drawn. */
export function embedInk(ink: Ink, store: ObjectStore): void {
  for (const [name, codes] of ink.used) ink.fonts.set(nameOf(`Pd${name}`), embedTypeface(store, [...codes.values()]))
}

/**
 * A code for the glyph together with its text: a glyph that stands for other characters elsewhere has another code there,
 * so that each is read as what it was typed for.
 */
function noteCode(ink: Ink, { face, glyph, text }: PlacedGlyph): number {
  let codes = ink.used.get(face.name)
  if (codes === undefined) ink.used.set(face.name, (codes = new Map()))
  const key = `${face.source} ${glyph} ${text}`
  let used = codes.get(key)
  // two bytes hold 65,535 codes of a face; what is printed on a certificate has far fewer characters
  if (used === undefined) codes.set(key, (used = { code: codes.size + 1, face, glyph, text }))
  return used.code
}
