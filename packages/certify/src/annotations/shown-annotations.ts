import { PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { type PdfObject, readNumber, readNumbers } from '../pdf/object-store.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/** Flags of annotations (ISO 32000-2 table 167), by bit position. */
const INVISIBLE = 1
const HIDDEN = 2
const NO_ROTATE = 16
const NO_VIEW = 32

/** Kinds with a look of their own (ISO 32000-2 table 171); of any other the flag `Invisible` is obeyed. */
const KNOWN_KINDS = new Set(
  [
    'Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup',
    'FileAttachment Sound Screen RichMedia Widget',
  ]
    .join(' ')
    .split(' '),
)
/** They mark the quadrilaterals they name, and nothing where they name none. */
const MARKS_QUADS = new Set(['Highlight', 'Underline', 'Squiggly', 'StrikeOut'])

export function readKind(annotation: PdfDict, resolve: Resolve): string {
  const subtype = resolve(annotation.get('Subtype'))
  return subtype instanceof PdfName ? subtype.value : ''
}

/** Whether a screen shows it, as pdf.js decides: what is for paper only is not there for the reviewer, and so not for anybody. */
export function isShown(annotation: PdfDict, resolve: Resolve): boolean {
  const flags = Math.max(0, readNumber(annotation.get('F'), resolve) ?? 0)
  const kind = readKind(annotation, resolve)
  if ((flags & (HIDDEN | NO_VIEW)) !== 0) return false
  if ((flags & INVISIBLE) !== 0 && !KNOWN_KINDS.has(kind)) return false
  if (MARKS_QUADS.has(kind) && readQuads(annotation, resolve) === undefined) return false
  // a text field with a bar code: readers of screens show nothing of it
  return !(kind === 'Widget' && annotation.has('PMD'))
}

/** Whether it stays upright on a page that is turned, with its upper left corner where it is (ISO 32000-2 section 12.5.3). */
export function isUpright(annotation: PdfDict, resolve: Resolve): boolean {
  const flags = Math.max(0, readNumber(annotation.get('F'), resolve) ?? 0)
  return (flags & NO_ROTATE) !== 0 && !MARKS_QUADS.has(readKind(annotation, resolve))
}

/** Quadrilaterals as left, right, bottom, top. */
export function readQuads(annotation: PdfDict, resolve: Resolve): number[][] | undefined {
  const numbers = readNumbers(annotation.get('QuadPoints'), resolve)
  if (numbers === undefined || numbers.length === 0 || numbers.length % 8 !== 0) return undefined
  const quads: number[][] = []
  for (let i = 0; i < numbers.length; i += 8) {
    const corners = numbers.slice(i, i + 8)
    const xs = corners.filter((_, at) => at % 2 === 0)
    const ys = corners.filter((_, at) => at % 2 === 1)
    quads.push([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)])
  }
  return quads
}

/** The normal appearance in the present state; undefined when it shows nothing. May be a reference. */
export function findAppearance(annotation: PdfDict, resolve: Resolve): PdfObject | undefined {
  const looks = resolve(annotation.get('AP'))
  const entry = looks instanceof PdfDict ? looks.get('N') : undefined
  const normal = resolve(entry)
  if (normal instanceof PdfStream) return entry
  const state = resolve(annotation.get('AS'))
  if (!(normal instanceof PdfDict) || !(state instanceof PdfName)) return undefined
  const chosen = normal.get(state.value)
  return resolve(chosen) instanceof PdfStream ? chosen : undefined
}
