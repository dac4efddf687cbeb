import { PdfArray, PdfDict, PdfName, type PdfStream } from '@libpdf/core'
import { makeStream, nameOf, numbersOf, readNumbers } from '../pdf/object-store.ts'
import { areDashes } from '../pdf/line-style.ts'
import type { Resolve } from '../pdf/resolve-in.ts'
import { joinPoints, readColour, readRect, readWidth } from './read-pens.ts'

/** Points, where a dashed line does not say how long its dashes are (ISO 32000-2 table 168). */
const USUAL_DASH = [3]

/**
 * The frame around a link as a form in the coordinates of its page, as readers draw it on a screen: black and a point wide where
 * the link says nothing of it (ISO 32000-2 table 166), within its rectangle, without rounded corners, which most leave out.
 * @returns undefined where there is none.
 */
export function drawFrame(link: PdfDict, resolve: Resolve): PdfStream | undefined {
  const rect = readRect(link, resolve)
  if (rect === undefined) return undefined
  const [left, bottom, right, top] = rect as [number, number, number, number]
  const width = readWidth(link, rect, resolve) ?? 1
  const colour = resolve(link.get('C'))
  const isClear = colour instanceof PdfArray && colour.length === 0
  if (width === 0 || isClear || right - left <= width || top - bottom <= width) return undefined
  const half = width / 2
  const { isUnderline, dash } = readStyle(link, resolve)
  const path = isUnderline
    ? `${joinPoints([left, bottom + half])} m ${joinPoints([right, bottom + half])} l`
    : `${joinPoints([left + half, bottom + half, right - left - width, top - bottom - width])} re`
  const pen = `${readColour(link, 'C', ['G', 'RG', 'K'], resolve) ?? '0 G'} ${joinPoints([width])} w`
  // a box that ends where the line does would make some readers draw it thinner
  const box = numbersOf([left - width, bottom - width, right + width, top + width])
  return makeStream(
    { Type: nameOf('XObject'), Subtype: nameOf('Form'), BBox: box },
    `${pen} [${joinPoints(dash)}] 0 d ${path} S`,
  )
}

function readStyle(link: PdfDict, resolve: Resolve): { isUnderline: boolean; dash: number[] } {
  const style = resolve(link.get('BS'))
  if (style instanceof PdfDict) {
    const name = resolve(style.get('S'))
    const kind = name instanceof PdfName ? name.value : 'S'
    return { isUnderline: kind === 'U', dash: kind === 'D' ? readDash(style.get('D'), resolve) : [] }
  }
  const border = resolve(link.get('Border'))
  const dash = border instanceof PdfArray ? border.at(3) : undefined
  return { isUnderline: false, dash: dash === undefined ? [] : readDash(dash, resolve) }
}

function readDash(object: Parameters<Resolve>[0], resolve: Resolve): number[] {
  const dash = readNumbers(object, resolve) ?? USUAL_DASH
  return areDashes(dash, 0) ? dash : []
}
