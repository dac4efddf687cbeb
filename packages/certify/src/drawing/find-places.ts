import { PdfDict, type PdfRef, PdfStream } from '@libpdf/core'
import { listGlyphs, listLetters } from '../fonts/list-glyphs.ts'
import { type ObjectStore, type PdfObject, readNumbers, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { type Box, leastScale, type Matrix, mostScale, multiply, UNCHANGED } from '../pdf/simple-path.ts'
import { type DrawnThing, readDrawn } from './read-drawn.ts'
import { isForm, readMatrix } from './read-form.ts'
import { NO_PAINT, type Paint, readPaint } from './read-paint.ts'
import { widenBox } from './thin-areas.ts'

/** Where content is drawn, and with what. */
export interface Place {
  paint: Paint
  /** From its coordinates to those of the page, where it is drawn smallest; undefined where that is not known. */
  matrix: Matrix | undefined
  /** Somewhere it is drawn neither upright nor on its side. */
  isSlanted: boolean
  isLetter: boolean
  /** Other content draws it by its name, as it has set what is not set here. */
  isCalled: boolean
  /** Another box than the one it has, which is too thin in some place. */
  box: Box | undefined
  /** What it draws with, and how many points of the page its unit comes to be where it is drawn largest. */
  resources: PdfObject | undefined
  largest: number
}

/** Content that something draws. */
interface Drawing {
  stream: PdfStream
  resources: PdfObject | undefined
  matrix: Matrix
}

interface Found {
  paint: Paint
  resources: PdfObject | undefined
  isCalled: boolean
  box: Box | undefined
}

interface Finding {
  store: ObjectStore
  paints: Map<PdfObject | undefined, Paint>
  found: Map<PdfStream, Found>
  /** How forms, letters and fonts were drawn, by directions and sizes, rounded. */
  ways: Map<PdfDict, Map<string, Matrix>>
}

const UNPLACED: Omit<Place, 'isLetter'> = {
  paint: NO_PAINT,
  matrix: undefined,
  isSlanted: false,
  isCalled: false,
  box: undefined,
  resources: undefined,
  largest: 1,
}
/** More are passed over: they cost as much again each. */
const MOST_WAYS = 64
/** What is drawn so much smaller than elsewhere is not made wider: elsewhere it would be another picture. */
const MOST_TIMES_SMALLER = 4
/** Of two sizes that count as the same. */
const MOST_LIKE = 1.02
/** As in the content of a page. */
const MAX_CONTENT_BYTES = 128 << 20

/** Follows the content of pages to the forms and letters that they draw. Other forms and tiles count as drawn on the page. */
export function findPlaces(store: ObjectStore, pages: readonly PdfRef[], from: number): Map<PdfStream, Place> {
  const glyphs = listGlyphs(store, from)
  const finding: Finding = { store, paints: new Map(), found: new Map(), ways: new Map() }
  for (const page of pages) follow(finding, listPageForms(finding, page))
  for (const object of store.objects.slice(from)) {
    if (!(object instanceof PdfStream) || finding.found.has(object) || glyphs.has(object)) continue
    if (isForm(store, object) || object.has('PatternType')) follow(finding, [placeForm(finding, object, UNCHANGED)])
  }
  const places = new Map<PdfStream, Place>()
  for (const [stream, found] of finding.found) {
    const matrices = [...(finding.ways.get(stream)?.values() ?? [])]
    places.set(stream, {
      ...found,
      matrix: pickMatrix(matrices),
      largest: Math.max(...matrices.map(mostScale)),
      isSlanted: !matrices.every(isAlongAxes),
      isLetter: glyphs.has(stream),
    })
  }
  for (const glyph of glyphs.keys())
    if (glyph instanceof PdfStream && !places.has(glyph)) places.set(glyph, { ...UNPLACED, isLetter: true })
  return places
}

function listPageForms(finding: Finding, page: PdfRef): Drawing[] {
  const dict = resolveObject(finding.store, page)
  const { forms } = dict instanceof PdfDict ? takePaint(finding, dict.get('Resources')) : NO_PAINT
  return [...forms.values()].map((form) => placeForm(finding, form, UNCHANGED))
}

function follow(finding: Finding, drawings: readonly Drawing[]): void {
  const waiting = drawings.filter((drawing) => isNew(finding, drawing))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { stream, resources, matrix } = next
    const paint = takePaint(finding, resources)
    if (paint.forms.size === 0 && paint.drawnFonts.size === 0) continue
    const content = decodeContent(finding.store, stream, MAX_CONTENT_BYTES)
    if (content === undefined) continue
    for (const thing of readDrawn(content, paint, matrix))
      waiting.push(...listCalled(finding, thing, resources).filter((drawing) => isNew(finding, drawing)))
  }
}

function listCalled(finding: Finding, thing: DrawnThing, resources: PdfObject | undefined): Drawing[] {
  if (thing.kind === 'font') return placeLetters(finding, thing.font, thing.matrix, resources)
  if (thing.kind !== 'form') return []
  const drawing = placeForm(finding, thing.form, thing.matrix, resources)
  takeFound(finding, drawing.stream, drawing.resources).isCalled = true
  noteBox(finding, drawing)
  return [drawing]
}

function takePaint({ store, paints }: Finding, resources: PdfObject | undefined): Paint {
  const own = resolveObject(store, resources)
  const paint = paints.get(own) ?? readPaint(store, own)
  paints.set(own, paint)
  return paint
}

/** Whether it was not drawn so before, or so often that no more is looked at. */
function isNew(finding: Finding, { stream, resources, matrix }: Drawing): boolean {
  takeFound(finding, stream, resources)
  return isNewWay(finding, stream, matrix)
}

function isNewWay({ ways }: Finding, drawn: PdfDict, matrix: Matrix): boolean {
  const known = ways.get(drawn) ?? new Map<string, Matrix>()
  ways.set(drawn, known)
  const way = matrix.slice(0, 4).map(roundFigure).join()
  if (known.has(way) || known.size >= MOST_WAYS) return false
  known.set(way, matrix)
  return true
}

/** To a hundredth or so. */
const roundFigure = (value: number): number | string =>
  value === 0 ? '' : Math.sign(value) * Math.round(64 * Math.log2(Math.abs(value)))

function takeFound(finding: Finding, stream: PdfStream, resources: PdfObject | undefined): Found {
  const paint = takePaint(finding, resources)
  const known = finding.found.get(stream) ?? { paint, resources, isCalled: false, box: undefined }
  finding.found.set(stream, known)
  return known
}

/** A form that brings no resources has those of what draws it. */
function placeForm({ store }: Finding, form: PdfStream, matrix: Matrix, resources?: PdfObject): Drawing {
  return {
    stream: form,
    resources: form.get('Resources') ?? resources,
    matrix: multiply(readMatrix(store, form, 'Matrix'), matrix),
  }
}

function placeLetters(finding: Finding, font: PdfDict, matrix: Matrix, resources: PdfObject | undefined): Drawing[] {
  const placed = multiply(readMatrix(finding.store, font, 'FontMatrix'), matrix)
  if (!isNewWay(finding, font, placed)) return []
  return listLetters(finding.store, font).map((stream) => ({
    stream,
    resources: font.get('Resources') ?? resources,
    matrix: placed,
  }))
}

/** What a form draws is cut to its box (ISO 32000-2 section 8.10.1). */
function noteBox(finding: Finding, { stream, resources, matrix }: Drawing): void {
  const numbers = readNumbers(stream.get('BBox'), (object) => resolveObject(finding.store, object))
  if (numbers?.length !== 4) return
  const [x0, y0, x1, y1] = numbers as unknown as Box
  const box: Box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)]
  const wide = widenBox(box, matrix)
  if (wide === undefined) return
  const found = takeFound(finding, stream, resources)
  found.box = joinBoxes(found.box ?? box, wide)
}

const joinBoxes = (one: Box, other: Box): Box => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
  Math.max(one[2], other[2]),
  Math.max(one[3], other[3]),
]

/** Where it is drawn smallest; of several that are as small one along the axes, since only such areas are thin. */
function pickMatrix(matrices: readonly Matrix[]): Matrix | undefined {
  const scaled = matrices.map((matrix) => ({ matrix, scale: leastScale(matrix) })).filter(({ scale }) => scale > 0)
  const largest = Math.max(...scaled.map(({ scale }) => scale))
  const [smallest] = scaled
    .filter(({ scale }) => scale >= largest / MOST_TIMES_SMALLER)
    .sort((one, other) => one.scale - other.scale)
  if (smallest === undefined) return undefined
  const alike = scaled.filter(({ scale }) => scale >= smallest.scale && scale <= smallest.scale * MOST_LIKE)
  return (alike.find(({ matrix }) => isAlongAxes(matrix)) ?? smallest).matrix
}

const isAlongAxes = ([a, b, c, d]: Matrix): boolean => (b === 0 && c === 0) || (a === 0 && d === 0)
