import { PdfDict, PdfStream } from '@libpdf/core'
import { type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'

/**
 * The letters of fonts that draw them by operators, though nothing in them says so, each with the resources that it may be drawn with: those of
 * each font that has it, or, where a font brings none, those that name the font.
 * @param from The first object that is looked at.
 */
export function listGlyphs(store: ObjectStore, from = 0): Map<PdfObject | undefined, Set<PdfObject | undefined>> {
  const glyphs = new Map<PdfObject | undefined, Set<PdfObject | undefined>>()
  for (const [font, users] of listDrawnFonts(store, from)) {
    const own = resolveObject(store, font.get('Resources'))
    for (const glyph of listLetters(store, font)) {
      const known = glyphs.get(glyph) ?? new Set()
      glyphs.set(glyph, known)
      for (const resources of own === undefined ? users : [own]) known.add(resources)
    }
  }
  return glyphs
}

/** @param font One that draws its letters. */
export function listLetters(store: ObjectStore, font: PdfDict): PdfStream[] {
  const list = resolveObject(store, font.get('CharProcs'))
  const letters = [...(list instanceof PdfDict ? list : [])].map(([, entry]) => resolveObject(store, entry))
  return letters.filter((letter) => letter instanceof PdfStream)
}

/** Fonts with letters that are drawn, and the resources that name each. Both may be objects of their own or stand within others. */
function listDrawnFonts(store: ObjectStore, from: number): Map<PdfDict, Set<PdfObject | undefined>> {
  const fonts = new Map<PdfDict, Set<PdfObject | undefined>>()
  const seen = new Set<PdfObject>()
  const waiting: PdfObject[] = store.objects.slice(from)
  const note = (font: PdfDict, users: PdfDict[]): void => {
    if (!font.has('CharProcs')) return
    const known = fonts.get(font) ?? new Set()
    fonts.set(font, known)
    for (const user of users) known.add(user)
  }
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (!(object instanceof PdfDict) || seen.has(object)) continue
    seen.add(object)
    note(object, [])
    const resources = resolveObject(store, object.get('Resources'))
    if (resources !== undefined) waiting.push(resources)
    const list = resolveObject(store, object.get('Font'))
    for (const [, entry] of list instanceof PdfDict ? list : []) {
      const font = resolveObject(store, entry)
      if (!(font instanceof PdfDict)) continue
      note(font, [object])
      waiting.push(font)
    }
  }
  return fonts
}
