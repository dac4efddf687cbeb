import { PdfDict, type PdfRef } from '@libpdf/core'
import { drawRosette, ROSETTE_PEN } from '@proofdesk/proof/rosette'
import { COLOURS, fillColour, strokeColour } from '../certificate/colours.ts'
import { WORDS } from '../certificate/words.ts'
import { drawRings } from '../certificate/draw-rings.ts'
import { formatPoints } from '../pdf/format-points.ts'
import { makeStream, nameOf, numbersOf, type ObjectStore, registerObject } from '../pdf/object-store.ts'
import { readPageView } from '../pdf/page-box.ts'
import { PAGE_CONTENT, type PageObject } from '../review-document/page-entries.ts'
import { drawLine, type Ink } from '../text/ink.ts'
import type { ShapedLine } from '../text/shape-line.ts'
import { setLine } from '../text/wrap-lines.ts'
import { addFoot } from './add-foot.ts'

/** Measures of the stamp, in points. */
const SIZE = 6.5
const ROSETTE = 9
const HEIGHT = 11
const SIDE = 14
const BOTTOM = 5
const GAP = 10

/** What every stamp of one certified PDF shares. */
export interface Stamp {
  ink: Ink
  /** Rosette and Proof ID, and the address, as forms with their origin at the lower left. */
  mark: PdfRef
  markWidth: number
  address: PdfRef
  addressWidth: number
  pageCount: number
}

/** Draws once what stands on every page: rosette, Proof ID and the address where it is verified. */
export function makeStamp(store: ObjectStore, ink: Ink, proofId: string, verifyUrl: string, pageCount: number): Stamp {
  const id = setLine(proofId, 'monoStrong')
  const markWidth = ROSETTE + 3 + (id.width * SIZE) / 1000
  const rosette = drawRings(drawRosette(proofId, 'small').rings)
  const scale = ROSETTE / 100
  const mark =
    `q ${strokeColour(COLOURS.seal)} ${ROSETTE_PEN.small} w 1 j ` +
    `${scale} 0 0 ${scale} 0 ${(HEIGHT - ROSETTE) / 2} cm\n${rosette}Q\n` +
    `${fillColour(COLOURS.ink)}\n${drawLine(ink, id, ROSETTE + 3, 3.2, SIZE)}`
  const address = setLine(verifyUrl, 'text')
  const addressWidth = (address.width * SIZE) / 1000
  return {
    ink,
    mark: makeForm(store, ink, markWidth, mark),
    markWidth,
    address: makeForm(store, ink, addressWidth, `${fillColour(COLOURS.ink2)}\n${drawLine(ink, address, 0, 3.2, SIZE)}`),
    addressWidth,
    pageCount,
  }
}

/** Kept, because the parser finds a name by its text slowly. */
const NAMES = { mark: nameOf('PdMark'), address: nameOf('PdAddress'), page: nameOf('PdPage') }

/** What a stamp is drawn on: a copied page gets a foot for it, the others have been made with one. */
export type Ground = 'copied' | 'image' | 'certificate'

/**
 * Stamps one page of the review document along its bottom edge as seen: rotation, crop box and user unit are taken into
 * account. What the page shows is a form, so it can neither move nor hide the stamp; nor does the stamp cover any of it.
 * @param pageNumber Counted through the whole certified PDF, from 1.
 */
export function stampPage(
  store: ObjectStore,
  { entries, form }: PageObject,
  stamp: Stamp,
  pageNumber: number,
  ground: Ground,
): void {
  const forms = new PdfDict()
  forms.set(NAMES.mark, stamp.mark)
  forms.set(NAMES.address, stamp.address)
  if (form !== undefined) forms.set(NAMES.page, form)
  entries.set('Resources', PdfDict.of({ XObject: forms, Font: stamp.ink.fontsRef }))
  const number = setNumber(stamp, pageNumber)
  if (ground === 'copied') {
    const view = readPageView(store, entries)
    addFoot(entries, view, (BOTTOM + HEIGHT) * chooseScale(view.width, stamp, number))
  }
  const drawn = drawStamp(readPageView(store, entries), stamp, pageNumber, ground)
  const content = form === undefined ? drawn : PAGE_CONTENT + drawn
  entries.set('Contents', registerObject(store, makeStream({}, content)))
}

/** A page narrower than the stamp gets a smaller one, never a cut one. */
function chooseScale(width: number, { markWidth, addressWidth }: Stamp, number: ShapedLine): number {
  const needed = markWidth + (number.width * SIZE) / 1000 + addressWidth + 2 * GAP + 2 * SIDE
  return Math.min(1, width / needed)
}

const setNumber = ({ pageCount }: Stamp, pageNumber: number): ShapedLine =>
  setLine(WORDS.pageOf(pageNumber, pageCount), 'strong')

/** Operators of the stamp alone. Resources need /PdMark, /PdAddress and the ink's fonts. */
export function drawStamp(
  view: { matrix: number[]; width: number },
  stamp: Stamp,
  pageNumber: number,
  ground: Ground,
): string {
  const number = setNumber(stamp, pageNumber)
  const numberWidth = (number.width * SIZE) / 1000
  const scale = chooseScale(view.width, stamp, number)
  const width = view.width / scale
  const left = SIDE
  const right = width - SIDE - stamp.addressWidth
  const middle = Math.max(left + stamp.markWidth + GAP, Math.min((width - numberWidth) / 2, right - GAP - numberWidth))
  const place = (x: number, form: string): string => `q 1 0 0 1 ${formatPoints(x)} ${BOTTOM} cm /${form} Do Q\n`
  return (
    `q ${view.matrix.map((value) => formatMatrix(value)).join(' ')} cm ${formatMatrix(scale)} 0 0 ${formatMatrix(scale)} 0 0 cm\n` +
    // the foot is paper: what a crop box hid there stays hidden
    (ground === 'copied' ? `${fillColour(COLOURS.white)}\n0 0 ${formatPoints(width)} ${BOTTOM + HEIGHT} re f\n` : '') +
    place(left, 'PdMark') +
    `${fillColour(COLOURS.ink2)}\n${drawLine(stamp.ink, number, middle, BOTTOM + 3.2, SIZE)}` +
    place(right, 'PdAddress') +
    'Q\n'
  )
}

function makeForm(store: ObjectStore, ink: Ink, width: number, content: string): PdfRef {
  return registerObject(
    store,
    makeStream(
      {
        Type: nameOf('XObject'),
        Subtype: nameOf('Form'),
        BBox: numbersOf([-2, -2, Math.ceil(width) + 2, HEIGHT + 2]),
        Resources: PdfDict.of({ Font: ink.fontsRef }),
      },
      content,
    ),
  )
}

/** Scales may be tiny (a user unit of 75,000), so they keep more digits than lengths do. */
function formatMatrix(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(8).replace(/0+$/, '')
}
