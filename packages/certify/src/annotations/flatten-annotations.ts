import { PdfArray, PdfDict, PdfRef, PdfStream } from '@libpdf/core'
import { HIDDEN_MARK } from '../layers/drop-layers.ts'
import { isolateContent } from '../pdf/isolate-content.ts'
import {
  makeStream,
  nameOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  readNumbers,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import { readPageView } from '../pdf/page-box.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { serializeNumber } from '../pdf/serialize-object.ts'
import { clipLink } from './clip-link.ts'
import { divideWords } from './divide-words.ts'
import { drawFrame } from './draw-frame.ts'
import { findAppearance, isShown, isUpright, readKind } from './shown-annotations.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/** A field is a line or a picture; longer ones are not looked at, and refused where readers would not agree on them. */
const MAX_APPEARANCE_BYTES = 1 << 20

/** One appearance and where it stands on the page. */
interface Picture {
  form: PdfRef
  matrix: number[]
}

/**
 * Draws what annotations show on a screen into the page, as the last of its content, and takes them away: whatever a reader
 * or a printer thinks of flags, fields and notes, it shows the same. Links stay as far as they lie on what is shown
 * of the page, and what they show, also their frame, is drawn.
 * @param page In the copy; its resources are its own.
 */
export function flattenAnnotations(store: ObjectStore, page: PdfDict): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const list = resolve(page.get('Annots'))
  page.delete('Annots')
  if (!(list instanceof PdfArray)) return
  const { box, rotation } = readPageView(store, page)
  const pictures: Picture[] = []
  const links: PdfObject[] = []
  for (const item of list) {
    const annotation = resolve(item)
    if (!(annotation instanceof PdfDict) || annotation.get('OC') === HIDDEN_MARK) continue
    if (isShown(annotation, resolve)) {
      const picture = placePicture(store, annotation, rotation, resolve) ?? placeFrame(store, annotation, resolve)
      if (picture !== undefined) pictures.push(picture)
    }
    if (readKind(annotation, resolve) !== 'Link') continue
    for (const key of ['AP', 'AS', 'BS', 'OC', 'H', 'C', 'PA']) annotation.delete(key)
    // without this entry readers draw a frame
    annotation.set('Border', numbersOf([0, 0, 0]))
    const link = clipLink(store, item, annotation, box, resolve)
    if (link !== undefined) links.push(link)
  }
  if (links.length > 0) page.set('Annots', new PdfArray(links))
  if (pictures.length > 0) drawOnTop(store, page, pictures)
}

/** Where the appearance goes (ISO 32000-2 section 12.5.5, algorithm 8.1). */
function placePicture(
  store: ObjectStore,
  annotation: PdfDict,
  rotation: number,
  resolve: Resolve,
): Picture | undefined {
  const appearance = findAppearance(annotation, resolve)
  const stream = resolve(appearance)
  const rect = readNumbers(annotation.get('Rect'), resolve)
  if (!(stream instanceof PdfStream)) return undefined
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rect?.length === 4 ? rect : []
  const [left, right, bottom, top] = [Math.min(x1, x2), Math.max(x1, x2), Math.min(y1, y2), Math.max(y1, y2)]
  const given = readNumbers(stream.get('BBox'), resolve)
  const box = given?.length === 4 ? given : [0, 0, right - left, top - bottom]
  const matrix = readNumbers(stream.get('Matrix'), resolve)
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix?.length === 6 ? matrix : []
  const [bx1 = 0, by1 = 0, bx2 = 0, by2 = 0] = box
  const corners = [
    [bx1, by1],
    [bx2, by1],
    [bx1, by2],
    [bx2, by2],
  ].map(([x, y]) => [a * x! + c * y! + e, b * x! + d * y! + f] as const)
  const [minX, maxX] = [Math.min(...corners.map(([x]) => x)), Math.max(...corners.map(([x]) => x))]
  const [minY, maxY] = [Math.min(...corners.map(([, y]) => y)), Math.max(...corners.map(([, y]) => y))]
  const isFlat = minX === maxX || minY === maxY
  const [scaleX, scaleY] = isFlat ? [1, 1] : [(right - left) / (maxX - minX), (top - bottom) / (maxY - minY)]
  // nobody sees it, and its words would be found in the copy
  if (scaleX === 0 || scaleY === 0) return undefined
  const place = isFlat
    ? [1, 0, 0, 1, left, bottom]
    : [scaleX, 0, 0, scaleY, left - minX * scaleX, bottom - minY * scaleY]
  const isTurnedBack = rotation !== 0 && isUpright(annotation, resolve)
  return {
    form: makeForm(store, stream, box, matrix?.length === 6),
    matrix: isTurnedBack ? turnBack(place, rotation, left, top) : place,
  }
}

/** Turns what the page turns clockwise the other way, around one point. */
function turnBack(matrix: number[], rotation: number, x: number, y: number): number[] {
  const [cos, sin] = [{ 0: 1, 180: -1 }[rotation] ?? 0, { 90: 1, 270: -1 }[rotation] ?? 0]
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix
  const turn = (u: number, v: number): number[] => [cos * u - sin * v, sin * u + cos * v]
  const [moveX = 0, moveY = 0] = turn(e - x, f - y)
  return [...turn(a, b), ...turn(c, d), moveX + x, moveY + y]
}

function placeFrame(store: ObjectStore, annotation: PdfDict, resolve: Resolve): Picture | undefined {
  const frame = readKind(annotation, resolve) === 'Link' ? drawFrame(annotation, resolve) : undefined
  return frame === undefined ? undefined : { form: registerObject(store, frame), matrix: [1, 0, 0, 1, 0, 0] }
}

/** A copy: the stream may also be drawn by other means, where its entries mean something else. */
function makeForm(store: ObjectStore, stream: PdfStream, box: number[], hasMatrix: boolean): PdfRef {
  const content = decodeContent(store, stream, MAX_APPEARANCE_BYTES)
  const divided = content && divideWords(content)
  const form = divided === undefined ? new PdfStream(stream, stream.data) : writeAnew(stream, divided)
  form.delete('OC')
  form.set('Type', nameOf('XObject'))
  form.set('Subtype', nameOf('Form'))
  form.set('BBox', numbersOf(box))
  if (!hasMatrix) form.delete('Matrix')
  return registerObject(store, form)
}

function writeAnew(stream: PdfStream, content: Buffer): PdfStream {
  const form = makeStream({}, content)
  for (const [key, value] of stream)
    if (!['Length', 'Filter', 'DecodeParms'].includes(key.value) && !form.has(key.value)) form.set(key, value)
  return form
}

function drawOnTop(store: ObjectStore, page: PdfDict, pictures: readonly Picture[]): void {
  const content = isolateContent(store, page, readPageView(store, page).mediaBox)
  const forms = new PdfDict()
  let drawn = ''
  if (content !== undefined) {
    forms.set('PdPage', content)
    drawn = 'q /PdPage Do Q\n'
  }
  for (const [i, { form, matrix }] of pictures.entries()) {
    forms.set(`PdNote${i}`, form)
    drawn += `q ${matrix.map(serializeNumber).join(' ')} cm /PdNote${i} Do Q\n`
  }
  page.set('Resources', PdfDict.of({ XObject: forms }))
  page.set('Contents', registerObject(store, makeStream({}, drawn)))
}
