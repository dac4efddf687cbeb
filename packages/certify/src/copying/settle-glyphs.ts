import { PdfDict, PdfRef, PdfStream } from '@libpdf/core'
import { applyEdits } from '../pdf/apply-edits.ts'
import { readOperators } from '../layers/content-operators.ts'
import {
  makeStream,
  type ObjectStore,
  type PdfObject,
  readNumbers,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import type { Box } from '../pdf/simple-path.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { accompanyImage } from './accompany-image.ts'

/** A glyph is a letter, not a page. */
const MAX_GLYPH_BYTES = 16 << 20
const NUMBER = String.raw`[\s\0]+([-+.\d]+)`
/** Width and box that begin a glyph without colours (ISO 32000-2 table 111). */
const WIDTH_AND_BOX = new RegExp(String.raw`^[\s\0]*([-+.\d]+)${NUMBER.repeat(5)}[\s\0]+d1(?=[\s\0]|$)`)
const COLOURS = /(?:^|[\s\0\])>])(?:g|rg|k|G|RG|K|cs|CS|scn?|SCN?)(?=[\s\0]|$)/
const CHOOSING = new Set(['g', 'rg', 'k', 'G', 'RG', 'K', 'cs', 'CS', 'sc', 'scn', 'SC', 'SCN'])
const LATE_WIDTH = /[\s\0]d0(?=[\s\0]|$)/
const WIDTHS = new Set(['d0'])
/** By how much a letter without a box may be larger than its size. */
const MOST_EMS = 1000
const STROKES = /(?:^|[\s\0])(?:S|s|B\*?|b\*?)(?=[\s\0]|$)/
const WORDS = /(?:^|[\s\0\])>])(?:T[jJ]|['"])(?=[\s\0]|$)/
const WIDTH = /^[\s\0]*[-+.\d]+[\s\0]+[-+.\d]+[\s\0]+d0(?=[\s\0]|$)/

/**
 * Gives each glyph lines of its own, and clips it to the box that it names, as the reviewer's reader does and others do not: else they would show words that the
 * reviewer did not see. One without extent is none to that reader, and Poppler shows as much of the glyph as is in it. Resources of its own are
 * passed over by that reader, which knows those of the font. A glyph that names neither width nor box has colours of its own for that reader, and says so afterwards.
 *
 * @param narrow Glyphs without a width, whatever they say.
 */
export function settleGlyphs(store: ObjectStore, fonts: readonly PdfDict[], narrow: ReadonlySet<PdfObject>): void {
  const settled = new Map<number, PdfRef>()
  for (const font of fonts) {
    const glyphs = resolveObject(store, font.get('CharProcs'))
    if (!(glyphs instanceof PdfDict)) continue
    const [across = 1] = readNumbers(font.get('FontMatrix'), (object) => resolveObject(store, object)) ?? []
    const widest = Math.round(MOST_EMS / Math.abs(across))
    const replaced = new PdfDict()
    for (const [name, glyph] of glyphs) {
      const number = glyph instanceof PdfRef ? glyph.objectNumber : 0
      const ref = settled.get(number) ?? settleGlyph(store, resolveObject(store, glyph), narrow, widest)
      if (number > 0 && ref !== undefined) settled.set(number, ref)
      replaced.set(name.value, ref ?? glyph)
    }
    font.set('CharProcs', replaced)
  }
}

/** @returns the glyph anew, undefined when it stays as it is. */
function settleGlyph(
  store: ObjectStore,
  glyph: unknown,
  narrow: ReadonlySet<PdfObject>,
  widest: number,
): PdfRef | undefined {
  if (!(glyph instanceof PdfStream)) return undefined
  const content = decodeContent(store, glyph, MAX_GLYPH_BYTES)
  if (content === undefined || content.length === 0) return undefined
  const text = Buffer.from(content).toString('latin1')
  const settled = settleContent(text, narrow.has(glyph), widest)
  return settled === text && !glyph.has('Resources') ? undefined : registerObject(store, makeStream({}, settled))
}

function settleContent(text: string, isNarrow: boolean, widest: number): string {
  const begin = WIDTH_AND_BOX.exec(text)
  if (begin === null) {
    const width = WIDTH.exec(text)?.[0]
    const state = listState(text, true)
    if (width !== undefined && state === '' && !isNarrow) return text
    const rest = width === undefined ? dropOperators(text, LATE_WIDTH, WIDTHS) : text.slice(width.length)
    return `${isNarrow ? '0 0 d0' : (width ?? '1 0 d0')}\n${state}${rest}`
  }
  const [width, height, ...sides] = begin.slice(1).map(Number) as [number, number, ...Box]
  const [left, foot, right, head] = sides
  const hasExtent = sides.every(Number.isFinite) && left !== right && foot !== head
  const box: Box = hasExtent ? sides : [-widest, -widest, widest, widest]
  // some are heeded by Poppler, where the glyph is large or its box not within that of the font
  const rest = dropOperators(text.slice(begin[0].length), COLOURS, CHOOSING)
  const said = hasExtent && !isNarrow ? begin[0] : `${isNarrow ? 0 : width} ${height} ${box.join(' ')} d1`
  const cut = `${box[0]} ${box[1]} ${box[2] - box[0]} ${box[3] - box[1]} re W n`
  return `${said}\n${cut}\n${accompanyImage(rest, box)}${listState(rest, false)}${rest}`
}

/** @param perhaps Found where one of the operators may be. */
function dropOperators(text: string, perhaps: RegExp, names: ReadonlySet<string>): string {
  if (!perhaps.test(text)) return text
  const content = Buffer.from(text, 'latin1')
  const edits = [...readOperators(content)]
    .filter(({ name }) => names.has(name))
    .map(({ start, end }) => ({ from: start, to: end, text: ' ' }))
  return applyEdits(content, edits)?.toString('latin1') ?? text
}

/**
 * What some readers let a glyph take over from the text that it stands in, and others do not (ISO 32000-2 section 9.6.4): lines, where it
 * draws some, and how words are set within it.
 */
function listState(text: string, hasColours: boolean): string {
  const lines = STROKES.test(text) ? `1 w 0 J 0 j 10 M [] 0 d ${hasColours ? '0 G' : ''}\n` : ''
  return lines + (WORDS.test(text) ? '0 Tc 0 Tw 100 Tz 0 Ts 0 Tr\n' : '')
}
