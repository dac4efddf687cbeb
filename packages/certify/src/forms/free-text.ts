import { PdfDict, PdfString } from '@libpdf/core'
import { FLAGS, type FormField, readShownText } from './form-field.ts'
import { readNumber, readNumbers } from '../pdf/object-store.ts'
import { findAppearance, isShown, readKind } from '../annotations/shown-annotations.ts'
import type { Resolve } from '../pdf/resolve-in.ts'

/** Points, where the annotation names no size. */
const USUAL_SIZE = 10

/**
 * Words written on the page that have no picture, as a field of several lines without a frame: so the reviewer's reader has
 * them.
 * @returns undefined for anything else.
 */
export function readFreeText(annotation: PdfDict, resolve: Resolve): FormField | undefined {
  if (readKind(annotation, resolve) !== 'FreeText' || !isShown(annotation, resolve)) return undefined
  const contents = resolve(annotation.get('Contents'))
  const rect = readNumbers(annotation.get('Rect'), resolve)
  if (findAppearance(annotation, resolve) !== undefined || !(contents instanceof PdfString) || rect?.length !== 4)
    return undefined
  const [x1, y1, x2, y2] = rect as [number, number, number, number]
  const appearance = resolve(annotation.get('DA'))
  const given = appearance instanceof PdfString ? appearance.asString() : ''
  const size = Number(/\s(-?[\d.]+)\s+Tf/.exec(given)?.[1] ?? 0) || USUAL_SIZE
  const colour = /(?:-?[\d.]+\s+){1,4}(?:g|rg|k)(?=\s|$)/.exec(given)?.[0] ?? '0 g'
  return {
    kind: 'text',
    flags: FLAGS.multiline,
    text: readShownText(contents),
    options: [],
    isOn: false,
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
    rotation: (((Math.round((readNumber(annotation.get('Rotate'), resolve) ?? 0) / 90) % 4) + 4) % 4) * 90,
    alignment: 0,
    mostCharacters: undefined,
    firstLine: 0,
    defaultAppearance: `/Helv ${size} Tf ${colour}`,
    fonts: new PdfDict(),
    background: [],
    borderColour: [],
    borderWidth: 0,
  }
}
