import { PdfBool, PdfDict, PdfName, PdfNull, PdfNumber, PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import type { PdfObject } from '../pdf/object-store.ts'

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** What can be drawn translucent by itself, in whichever way. */
const LAYERED = ['XObject', 'Pattern', 'Shading', 'Properties']
const PLAIN_MODES = new Set(['Normal', 'Compatible'])

/**
 * In a group that knocks out each thing replaces what lies below it, as thin as it may be (ISO 32000-2 section 11.4.6). The reviewer's
 * reader does so, PDFium and Poppler show what lies below: words under a veil were nothing before the reviewer and black elsewhere.
 * Where all is opaque there is no difference.
 * @throws Disagreement where something in such a form may not be opaque.
 */
export function checkKnockout(form: PdfStream, group: PdfDict, resolve: Resolve): void {
  const knocksOut = resolve(group.get('K'))
  // anything but false is true to that reader
  if (knocksOut === undefined || knocksOut instanceof PdfNull || (knocksOut instanceof PdfBool && !knocksOut.value))
    return
  const resources = resolve(form.get('Resources'))
  if (!(resources instanceof PdfDict) || !isOpaque(resources, resolve))
    throw new Disagreement('a group that knocks out, with something in it that may not be opaque')
}

function isOpaque(resources: PdfDict, resolve: Resolve): boolean {
  const list = (key: string): (PdfObject | undefined)[] => {
    const entries = resolve(resources.get(key))
    return entries instanceof PdfDict ? [...entries].map(([, entry]) => resolve(entry)) : []
  }
  return (
    LAYERED.every((key) => list(key).length === 0) &&
    list('Font').every((font) => font instanceof PdfDict && !font.has('CharProcs')) &&
    list('ExtGState').every((state) => state instanceof PdfDict && isOpaqueState(state, resolve))
  )
}

function isOpaqueState(state: PdfDict, resolve: Resolve): boolean {
  const isFull = ['ca', 'CA'].every((key) => {
    const opacity = resolve(state.get(key))
    return opacity === undefined || (opacity instanceof PdfNumber && opacity.value >= 1)
  })
  const [mode, mask] = [resolve(state.get('BM')), resolve(state.get('SMask'))]
  const isPlain = mode === undefined || (mode instanceof PdfName && PLAIN_MODES.has(mode.value))
  const isUnmasked = mask === undefined || (mask instanceof PdfName && mask.value === 'None')
  return isFull && isPlain && isUnmasked && !state.has('Font')
}
