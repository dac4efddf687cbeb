import type { PdfDict } from '@libpdf/core'
import { nameOf, type ObjectStore, type PdfObject, readNumber, readNumbers, resolveObject } from './object-store.ts'

/** Kept, because the parser finds a name by its text slowly, and every page is asked for these. */
const NAMES = { cropBox: nameOf('CropBox'), rotate: nameOf('Rotate'), userUnit: nameOf('UserUnit') }

/** US Letter: what viewers take when a page has no usable /MediaBox. */
const DEFAULT_BOX: Box = [0, 0, 612, 792]

/** Left, bottom, right, top in default user space units. */
export type Box = [number, number, number, number]

export interface PageView {
  /** What is shown: the crop box within the media box, before rotation. */
  box: Box
  /** Everything that may be drawn. */
  mediaBox: Box
  /** Clockwise: 0, 90, 180 or 270. */
  rotation: number
  /** Points per unit of user space (ISO 32000-2 table 31, /UserUnit). */
  unit: number
  /** As seen, after rotation, in points. */
  width: number
  height: number
  /** Operands of `cm` that put the origin at the lower left of the page as seen, x to the right, units of points. */
  matrix: number[]
}

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** How a page is seen. Never fails: faulty entries count as missing, as viewers do. */
export function readPageView(store: ObjectStore, page: PdfDict): PageView {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const mediaBox = readBox(page.get('MediaBox'), resolve) ?? DEFAULT_BOX
  const box = intersect(mediaBox, readBox(page.get(NAMES.cropBox), resolve) ?? mediaBox)
  const turn = readNumber(page.get(NAMES.rotate), resolve) ?? 0
  // readers turn a page by quarters or not at all
  const rotation = turn % 90 === 0 ? ((turn % 360) + 360) % 360 : 0
  const userUnit = readNumber(page.get(NAMES.userUnit), resolve) ?? 1
  const unit = userUnit > 0 ? userUnit : 1
  const [left, bottom, right, top] = box
  const isTurned = rotation % 180 !== 0
  const scale = 1 / unit
  const matrices: Record<number, number[]> = {
    0: [scale, 0, 0, scale, left, bottom],
    90: [0, scale, -scale, 0, right, bottom],
    180: [-scale, 0, 0, -scale, right, top],
    270: [0, -scale, scale, 0, left, top],
  }
  return {
    box,
    mediaBox,
    rotation,
    unit,
    width: (isTurned ? top - bottom : right - left) * unit,
    height: (isTurned ? right - left : top - bottom) * unit,
    matrix: matrices[rotation]!,
  }
}

/** Undefined when it is no box, or an empty one. */
export function readBox(object: PdfObject | undefined, resolve: Resolve): Box | undefined {
  const numbers = readNumbers(object, resolve)
  if (numbers?.length !== 4) return undefined
  const [a, b, c, d] = numbers as Box
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]
  return box[2] - box[0] > 0 && box[3] - box[1] > 0 ? box : undefined
}

function intersect(a: Box, b: Box): Box {
  const box: Box = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]
  return box[2] - box[0] > 0 && box[3] - box[1] > 0 ? box : a
}
