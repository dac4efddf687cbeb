import { PdfArray, PdfName, PdfNumber, type PdfRef, PdfStream } from '@libpdf/core'
import { deflateSync } from 'node:zlib'
import { DEFLATE_LEVEL, type ObjectStore } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { beginOpaque, hasTranslucentLines } from './begin-opaque.ts'
import { beginUnstretched, isStretching } from './begin-unstretched.ts'
import { checkGradients } from './check-gradients.ts'
import { dropUnheeded } from './drop-unheeded.ts'
import { findPlaces, type Place } from './find-places.ts'
import { lengthenPointLines } from './point-lines.ts'
import { moveTextModes } from './text-cuts.ts'
import { widenAreas } from './widen-areas.ts'

/** As in the content of a page. */
const MAX_CONTENT_BYTES = 128 << 20

/**
 * Rectangles, cuts, the boxes of forms and stencils that are so thin that the reviewer's reader shows next to nothing of them, and others a
 * line of a pixel, however large the page is drawn: they are made wide enough to be seen, and so that others draw them as faint as they are.
 * What the reviewer's reader passes over goes. Lines without length, which others draw as dots, are dots to all, letters cut alike, and groups begin with opaque lines.
 * @param pages Their content is a form each.
 * @param from The first object that belongs to them.
 * @throws Refusal `unreadable` where there are more of them than anybody draws.
 */
export function settleDrawn(store: ObjectStore, pages: readonly PdfRef[], from = 0): void {
  const places = findPlaces(store, pages, from)
  const isFaint = hasTranslucentLines([...places.values()].map(({ paint }) => paint))
  checkGradients(store, places)
  const isStretched = hasStretchedLetters(store, places)
  for (const [number, object] of store.objects.entries()) {
    const place = object instanceof PdfStream ? places.get(object) : undefined
    if (!(object instanceof PdfStream) || place === undefined) continue
    if (place.box !== undefined) object.set('BBox', new PdfArray(place.box.map((value) => PdfNumber.of(value))))
    const content = decodeContent(store, object, MAX_CONTENT_BYTES)
    if (content === undefined) continue
    const original = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    const heeded = place.isLetter ? original : (dropUnheeded(original) ?? original)
    const widened = widenAreas(heeded, place) ?? heeded
    const lengthened = lengthenPointLines(widened) ?? widened
    const moved = moveTextModes(lengthened, place.isCalled) ?? lengthened
    const unstretched = isStretched && place.isCalled && !place.isLetter ? (beginUnstretched(moved) ?? moved) : moved
    const settled = isFaint && object.has('Group') ? beginOpaque(store, object, unstretched) : unstretched
    if (settled === original) continue
    const copy = new PdfStream(object, deflateSync(settled, { level: DEFLATE_LEVEL }))
    copy.set('Filter', PdfName.of('FlateDecode'))
    copy.delete('DecodeParms')
    store.objects[number] = copy
  }
}

/** What a form would take over. Without forms nothing is read for it. */
function hasStretchedLetters(store: ObjectStore, places: ReadonlyMap<PdfStream, Place>): boolean {
  if (![...places.values()].some(({ isCalled, isLetter }) => isCalled && !isLetter)) return false
  return [...places.keys()].some((stream) => {
    const content = decodeContent(store, stream, MAX_CONTENT_BYTES)
    return content !== undefined && isStretching(Buffer.from(content).toString('latin1'))
  })
}
