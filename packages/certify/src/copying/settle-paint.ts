import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'
import {
  nameOf,
  numberOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  readNumber,
  readNumbers,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import { leastScale, type Matrix, mostScale, UNCHANGED } from '../pdf/simple-path.ts'
import { checkAreaGradients } from './check-area-gradients.ts'
import { checkFunctions, checkShadings, checkTints } from './check-functions.ts'
import { checkKnockout } from './check-knockout.ts'
import { settleAbsentNames } from './settle-absent-names.ts'
import { settleCalibrated } from './settle-calibrated.ts'
import { settleCodeMaps } from './settle-code-maps.ts'
import { settleFontMaps } from './settle-font-maps.ts'
import { settleDrawnFonts } from './settle-drawn-fonts.ts'
import { settleFontKinds } from './settle-fonts.ts'
import { settleGlyphNames } from './settle-glyph-names.ts'
import { settleGlyphs } from './settle-glyphs.ts'
import { settleImages } from './settle-images.ts'
import { settleBackground, settleMeshes } from './settle-meshes.ts'
import { settleProfiles } from './settle-profiles.ts'
import { settleSimpleWidths } from './settle-simple-widths.ts'
import { settlePartFonts } from './settle-part-fonts.ts'
import { settlePrograms } from './settle-programs.ts'
import { settleState } from './settle-state.ts'
import { widenPalette } from './widen-palette.ts'

/** They replace plain colours in some readers (ISO 32000-2 section 8.6.5.6), and not in the reviewer's. */
const DEFAULT_SPACES = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK']
/** Names that are spaces by themselves for the reviewer's reader; others look among the resources first. */
const OWN_SPACES: Record<string, string> = {
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
  DeviceGray: 'DeviceGray',
  DeviceRGB: 'DeviceRGB',
  DeviceCMYK: 'DeviceCMYK',
  Pattern: 'Pattern',
}
const INKS = new Set(['Separation', 'DeviceN'])
const CALIBRATED = new Set(['CalGray', 'CalRGB', 'Lab'])
/** Entries whose dictionaries must be looked at once everything is copied. */
const PAINTING_KEYS = new Set(
  ['ExtGState', 'ColorSpace', 'Shading', 'Group', 'G', 'CharProcs', 'Font', 'FontDescriptor'].concat([
    'DescendantFonts',
    'FunctionType',
    'ShadingType',
    'Subtype',
    'PatternType',
  ]),
)

/** Points of the page. Of less the reviewer's reader shows next to nothing, others a pixel. */
const THIN_TILE = 0.25
/** Of the distance of tiles: those that meet make an area, however thin each is. */
const MEETING = 0.9
/** Square points of the page from one tile to the next: for less readers take minutes, each until it gives up. */
const LEAST_STEPS = 0.01

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** What a copied document paints with, noted while it is copied. */
export interface PaintNotes {
  entries: { dict: PdfDict; key: string }[]
  inks: PdfArray[]
  /** Spaces by a colour profile. */
  profiled: PdfArray[]
  calibrated: PdfArray[]
}

export const startPaintNotes = (): PaintNotes => ({ entries: [], inks: [], profiled: [], calibrated: [] })

export function notePaintingEntry(notes: PaintNotes, dict: PdfDict, key: string): void {
  if (PAINTING_KEYS.has(key)) notes.entries.push({ dict, key })
}

export function notePaintingArray(notes: PaintNotes, array: PdfArray): void {
  const first = array.at(0)
  if (!(first instanceof PdfName)) return
  if (INKS.has(first.value)) notes.inks.push(array)
  else if (first.value === 'ICCBased') notes.profiled.push(array)
  else if (CALIBRATED.has(first.value) && array.length > 1) notes.calibrated.push(array)
}

/**
 * Takes away what only some readers heed when they paint, so that colours, blending and patterns are those that the reviewer's
 * reader shows.
 * @throws Refusal `unreadable` where readers would not agree and nothing can be taken away.
 */
export function settlePaint(store: ObjectStore, { entries, inks, profiled, calibrated }: PaintNotes): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const masks = new Set<PdfObject | undefined>()
  for (const { dict, key } of entries) if (key === 'G' && dict.has('S')) masks.add(resolve(dict.get('G')))
  settleCalibrated([...calibrated, ...settleProfiles(store, profiled)], resolve)
  settleImages(store, listImages(entries, resolve))
  for (const { dict, key } of entries) {
    const value = resolve(dict.get(key))
    if (key === 'Group') {
      if (value instanceof PdfDict && dict instanceof PdfStream) checkKnockout(store, dict, value)
      if (value instanceof PdfDict) settleGroup(dict, value, masks.has(dict), resolve)
    } else if (key === 'Subtype' || key === 'PatternType') settleForm(dict, key, value, resolve)
    else if (key === 'ColorSpace' && dict instanceof PdfStream) widenPalette(store, dict)
    else if (value instanceof PdfDict && !(value instanceof PdfStream)) settleList(store, dict, key, value)
  }
  const fonts = listFonts(entries, resolve)
  settleFontKinds(store, fonts)
  settleSimpleWidths(store, fonts)
  settleAbsentNames(store, fonts)
  const listOwners = (wanted: string): PdfDict[] => entries.filter(({ key }) => key === wanted).map(({ dict }) => dict)
  const drawnFonts = listOwners('CharProcs')
  settleGlyphs(store, drawnFonts, settleDrawnFonts(store, drawnFonts))
  const programs = settlePrograms(store, listOwners('FontDescriptor'))
  settleFontMaps(store, listOwners('FontDescriptor'))
  settleGlyphNames(store, listOwners('FontDescriptor'), programs)
  settleCodeMaps(store, listOwners('DescendantFonts'))
  settlePartFonts(
    store,
    listOwners('FontDescriptor').filter((font) => font.has('CIDSystemInfo')),
  )
  checkFunctions(store, listOwners('FunctionType'))
  checkShadings(listOwners('ShadingType'), resolve)
  checkAreaGradients(store, listOwners('ShadingType'))
  settleMeshes(store, listOwners('ShadingType'))
  checkTints(inks, resolve)
  for (const array of inks) markEveryInk(array, resolve)
  for (const pattern of listOwners('Shading')) if (pattern.has('PatternType')) settlePattern(store, pattern)
}

/**
 * The reviewer's reader heeds the box of a gradient that is a pattern only where that does not begin at the origin, and paints a background
 * of one over an area never, of a mesh as far as that goes.
 */
function settlePattern(store: ObjectStore, pattern: PdfDict): void {
  const gradient = resolveObject(store, pattern.get('Shading'))
  if (!(gradient instanceof PdfDict)) return
  const isArea = readNumber(gradient.get('ShadingType'), (object) => resolveObject(store, object)) === 1
  let settled = settleBackground(store, gradient) ?? gradient
  for (const key of isArea ? ['BBox', 'Background'] : ['BBox'])
    if (settled.has(key)) settled = copyWithout(settled, key)
  // by an operator it may be drawn with its box
  if (settled !== gradient) pattern.set('Shading', registerObject(store, settled))
}

function listImages(entries: PaintNotes['entries'], resolve: Resolve): PdfStream[] {
  return entries.flatMap(({ dict, key }) =>
    key === 'Subtype' && dict instanceof PdfStream && isNamed(resolve(dict.get(key)), 'Image') ? [dict] : [],
  )
}

/** Those of lists of resources. */
function listFonts(entries: PaintNotes['entries'], resolve: Resolve): PdfDict[] {
  const fonts = new Set<PdfDict>()
  for (const { dict, key } of entries) {
    const list = key === 'Font' ? resolve(dict.get(key)) : undefined
    if (!(list instanceof PdfDict)) continue
    for (const [, entry] of list) {
      const font = resolve(entry)
      if (font instanceof PdfDict && !(font instanceof PdfStream)) fonts.add(font)
    }
  }
  return [...fonts]
}

/** Without a box some readers draw all of a form or tile, others nothing (ISO 32000-2 tables 74 and 93). */
function settleForm(form: PdfDict, key: string, kind: PdfObject | undefined, resolve: Resolve): void {
  const isDrawn = key === 'Subtype' ? isNamed(kind, 'Form') : true
  if (!(form instanceof PdfStream) || !isDrawn) return
  const box = readNumbers(form.get('BBox'), resolve)
  if (box?.length !== 4) throw new Disagreement('a form without a box')
  if (key === 'PatternType') settleTile(form, box as [number, number, number, number], resolve)
  if (form.has('Matrix') && readNumbers(form.get('Matrix'), resolve)?.length !== 6) form.delete('Matrix')
}

/** PDFium draws lines with fewer tiles where the box begins with another corner, and Ghostscript none of a kind that there is not. */
function settleTile(
  tile: PdfDict,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  resolve: Resolve,
): void {
  if (x0 > x1 || y0 > y1)
    tile.set('BBox', numbersOf([Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)]))
  if (![1, 2, 3].includes(readNumber(tile.get('TilingType'), resolve) ?? 0)) tile.set('TilingType', numberOf(1))
  checkTile(tile, resolve)
}

/** Where the box of a tile has no extent, the reviewer's reader paints all of what others leave as it was. */
function checkTile(tile: PdfDict, resolve: Resolve): void {
  if (![1, 2].includes(readNumber(tile.get('PaintType'), resolve) ?? 0))
    throw new Disagreement('a tile that neither has colours nor takes some')
  const [left = 0, foot = 0, right = 0, head = 0] = readNumbers(tile.get('BBox'), resolve) ?? []
  const matrix = readNumbers(tile.get('Matrix'), resolve)
  const placed = matrix?.length === 6 ? (matrix as unknown as Matrix) : UNCHANGED
  const scale = leastScale(placed)
  for (const [key, size] of [
    ['XStep', Math.abs(right - left)],
    ['YStep', Math.abs(head - foot)],
  ] as const) {
    const step = Math.abs(readNumber(tile.get(key), resolve) ?? 0)
    if (step === 0) throw new Disagreement('a pattern whose tiles have no distance')
    if (size === 0 || (size * scale < THIN_TILE && size < MEETING * step))
      throw new Disagreement('a tile that is too thin to be seen')
  }
  const [across, up] = ['XStep', 'YStep'].map((key) => Math.abs(readNumber(tile.get(key), resolve) ?? 0))
  if (across! * up! * scale * mostScale(placed) < LEAST_STEPS)
    throw new Refusal('unreadable', 'so many tiles that readers take minutes for them')
}

const isNamed = (object: PdfObject | undefined, name: string): boolean =>
  object instanceof PdfName && object.value === name

function settleList(store: ObjectStore, owner: PdfDict, key: string, list: PdfDict): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  // in a pattern these are the thing itself, not a list by names
  const isOwn = owner.has('PatternType')
  if (key === 'ColorSpace') settleSpaces(list)
  if (key === 'ExtGState' && isOwn) settleState(list, resolve)
  if (isOwn || (key !== 'ExtGState' && key !== 'Shading')) return
  for (const [name, entry] of list) {
    const value = resolve(entry)
    if (!(value instanceof PdfDict)) continue
    if (key === 'ExtGState') settleState(value, resolve)
    // counts for patterns only, but the reviewer's reader paints it for the operator too (ISO 32000-2 section 8.7.4.3)
    else if (value.has('Background')) list.set(name.value, registerObject(store, copyWithout(value, 'Background')))
  }
}

function settleSpaces(list: PdfDict): void {
  for (const name of DEFAULT_SPACES) list.delete(name)
  for (const [name, space] of Object.entries(OWN_SPACES)) if (list.has(name)) list.set(name, nameOf(space))
}

/**
 * The reviewer's reader blends in the colours of the screen, whatever space a group names; that of a mask says how to read it. What calls itself another
 * kind of group, or none, is one to that reader, which neither stands alone nor knocks out; others draw each of its parts by itself. A page
 * knocks out for Ghostscript alone.
 */
function settleGroup(owner: PdfDict, group: PdfDict, isMask: boolean, resolve: Resolve): void {
  const isKnown = isNamed(resolve(group.get('S')), 'Transparency')
  const isPage = !(owner instanceof PdfStream)
  if (isKnown && (isMask || !group.has('CS')) && !(isPage && group.has('K'))) return
  const copy = isKnown ? copyWithout(group, 'CS') : PdfDict.of({ S: nameOf('Transparency') })
  if (isPage) copy.delete('K')
  const space = group.get('CS')
  if (space !== undefined) copy.set('CS', isMask ? space : nameOf('DeviceRGB'))
  owner.set('Group', copy)
}

/** The ink `None` marks nothing in some readers; the reviewer's paints its stand-in, as for any other ink. */
function markEveryInk(space: PdfArray, resolve: Resolve): void {
  const inks = resolve(space.at(1))
  const isNone = (ink: PdfObject | undefined): boolean => ink instanceof PdfName && ink.value === 'None'
  if (isNone(inks)) space.set(1, nameOf('Ink'))
  if (!(inks instanceof PdfArray) || ![...inks].every((ink) => isNone(resolve(ink)))) return
  space.set(1, new PdfArray([...inks].map((_, i) => nameOf(`Ink${i + 1}`))))
}

function copyWithout(dict: PdfDict, key: string): PdfDict {
  const copy = dict instanceof PdfStream ? new PdfStream(new PdfDict(), dict.data) : new PdfDict()
  for (const [name, value] of dict) if (name.value !== key) copy.set(name.value, value)
  return copy
}
