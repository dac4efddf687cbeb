import { PdfDict } from '@libpdf/core'
import { numbersOf, type ObjectStore, type PdfObject, readNumbers, registerObject } from '../pdf/object-store.ts'
import { type Box, readBox } from '../pdf/page-box.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/**
 * The link as far as it lies on what is shown of the page. What nobody could click there must not come to lie over what is added
 * beside it.
 * @param item The link, or a reference to it.
 * @returns undefined for a link that nobody could click.
 */
export function clipLink(
  store: ObjectStore,
  item: PdfObject,
  link: PdfDict,
  shown: Box,
  resolve: Resolve,
): PdfObject | undefined {
  const rect = readBox(link.get('Rect'), (object) => resolve(object) ?? undefined)
  if (rect === undefined) return undefined
  const clipped: Box = [
    Math.max(rect[0], shown[0]),
    Math.max(rect[1], shown[1]),
    Math.min(rect[2], shown[2]),
    Math.min(rect[3], shown[3]),
  ]
  if (clipped[0] >= clipped[2] || clipped[1] >= clipped[3]) return undefined
  const isWhole = clipped.every((side, i) => side === rect[i])
  // some readers heed what lies beside the rectangle, others do not
  if (isWhole && isWithin(link.get('QuadPoints'), rect, resolve)) return item
  // another page, of which more is shown, may have the same link
  const copy = new PdfDict()
  for (const [key, value] of link) if (key.value !== 'QuadPoints') copy.set(key.value, value)
  copy.set('Rect', numbersOf(clipped))
  return registerObject(store, copy)
}

/** Also where there are no points. */
function isWithin(points: PdfObject | undefined, [left, bottom, right, top]: Box, resolve: Resolve): boolean {
  if (points === undefined) return true
  const numbers = readNumbers(points, resolve)
  return (
    numbers !== undefined &&
    numbers.every((value, i) => (i % 2 === 0 ? value >= left && value <= right : value >= bottom && value <= top))
  )
}
