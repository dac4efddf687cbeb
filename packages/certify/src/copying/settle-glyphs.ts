import { PdfDict, PdfRef, PdfStream } from '@libpdf/core'
import { makeStream, type ObjectStore, registerObject, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

/** A glyph is a letter, not a page. */
const MAX_GLYPH_BYTES = 16 << 20
const NUMBER = String.raw`[\s\0]+([-+.\d]+)`
/** Width and box that begin a glyph without colours (ISO 32000-2 table 111). */
const WIDTH_AND_BOX = new RegExp(String.raw`^[\s\0]*[-+.\d]+${NUMBER.repeat(5)}[\s\0]+d1(?=[\s\0]|$)`)
const STROKES = /(?:^|[\s\0])(?:S|s|B\*?|b\*?)(?=[\s\0]|$)/
const WORDS = /(?:^|[\s\0\])>])(?:T[jJ]|['"])(?=[\s\0]|$)/
const WIDTH = /^[\s\0]*[-+.\d]+[\s\0]+[-+.\d]+[\s\0]+d0(?=[\s\0]|$)/

/**
 * Gives each glyph lines of its own, and clips it to the box that it names, as the reviewer's reader does and others do not: else they would show words that the
 * reviewer did not see. A glyph that names neither width nor box has colours of its own for that reader, and says so afterwards.
 */
export function settleGlyphs(store: ObjectStore, fonts: readonly PdfDict[]): void {
  const settled = new Map<number, PdfRef>()
  for (const font of fonts) {
    const glyphs = resolveObject(store, font.get('CharProcs'))
    if (!(glyphs instanceof PdfDict)) continue
    const replaced = new PdfDict()
    for (const [name, glyph] of glyphs) {
      const number = glyph instanceof PdfRef ? glyph.objectNumber : 0
      const ref = settled.get(number) ?? settleGlyph(store, resolveObject(store, glyph))
      if (number > 0 && ref !== undefined) settled.set(number, ref)
      replaced.set(name.value, ref ?? glyph)
    }
    font.set('CharProcs', replaced)
  }
}

/** @returns the glyph anew, undefined when it stays as it is. */
function settleGlyph(store: ObjectStore, glyph: unknown): PdfRef | undefined {
  if (!(glyph instanceof PdfStream)) return undefined
  const content = decodeContent(store, glyph, MAX_GLYPH_BYTES)
  if (content === undefined || content.length === 0) return undefined
  const text = Buffer.from(content).toString('latin1')
  const begin = WIDTH_AND_BOX.exec(text)
  if (begin === null) {
    const width = WIDTH.exec(text)?.[0]
    const state = listState(text, true)
    if (width !== undefined && state === '') return undefined
    const rest = width === undefined ? text : text.slice(width.length)
    return registerObject(store, makeStream(listEntries(glyph), `${width ?? '1 0 d0'}\n${state}${rest}`))
  }
  const [left = 0, bottom = 0, right = 0, top = 0] = begin.slice(2).map(Number)
  // one without extent counts as none
  if (![left, bottom, right, top].every(Number.isFinite) || left === right || bottom === top) return undefined
  const clip = `\n${begin[2]} ${begin[3]} ${right - left} ${top - bottom} re W n\n${listState(text, false)}`
  return registerObject(store, makeStream(listEntries(glyph), begin[0] + clip + text.slice(begin[0].length)))
}

/**
 * What some readers let a glyph take over from the text that it stands in, and others do not (ISO 32000-2 section 9.6.4): lines, where it
 * draws some, and how words are set within it.
 */
function listState(text: string, hasColours: boolean): string {
  const lines = STROKES.test(text) ? `1 w 0 J 0 j 10 M [] 0 d ${hasColours ? '0 G' : ''}\n` : ''
  return lines + (WORDS.test(text) ? '0 Tc 0 Tw 100 Tz 0 Ts 0 Tr\n' : '')
}

function listEntries(glyph: PdfStream): Record<string, never> {
  const resources = glyph.get('Resources')
  return (resources === undefined ? {} : { Resources: resources }) as Record<string, never>
}
