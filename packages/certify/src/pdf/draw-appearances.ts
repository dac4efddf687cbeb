import { type PDF, PdfArray, PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core'
import { drawField } from './field-picture.ts'
import { readField, type Resolve } from './form-field.ts'
import type { SourcePage } from './list-pages.ts'
import { makeStream, nameOf, numbersOf } from './object-store.ts'

/**
 * Gives form fields without a picture one, because the copy has no form that a viewer could draw them from. Fields that have
 * an appearance keep it, also where the form asks viewers to draw it anew: it is what the file shows. Changes the loaded
 * source only.
 */
export function drawMissingAppearances(source: PDF, pages: readonly SourcePage[]): void {
  const resolve: Resolve = (object) => {
    let target = object ?? undefined
    for (let hops = 0; target instanceof PdfRef && hops < 32; hops++) target = source.getObject(target) ?? undefined
    return target
  }
  const form = resolve(source.getCatalog().get('AcroForm'))
  if (!(form instanceof PdfDict)) return
  for (const { dict } of pages) {
    const annotations = resolve(dict.get('Annots'))
    if (!(annotations instanceof PdfArray)) continue
    for (const item of annotations) {
      const widget = resolve(item)
      if (!(widget instanceof PdfDict) || !isWidget(widget, resolve) || hasAppearance(widget, resolve)) continue
      // a broken field must not cost the document its pages
      try {
        drawWidget(source, form, widget, resolve)
      } catch {
        // it stays as it is
      }
    }
  }
}

function drawWidget(source: PDF, form: PdfDict, widget: PdfDict, resolve: Resolve): void {
  const field = readField(form, widget, resolve)
  const picture = field === undefined ? undefined : drawField(field, resolve)
  if (field === undefined || picture === undefined) return
  const { width, height } = field
  const matrices: Record<number, number[]> = {
    90: [0, 1, -1, 0, width, 0],
    180: [-1, 0, 0, -1, width, height],
    270: [0, -1, 1, 0, 0, height],
  }
  const isTurned = field.rotation % 180 !== 0
  const stream = makeStream(
    {
      Type: nameOf('XObject'),
      Subtype: nameOf('Form'),
      BBox: numbersOf(isTurned ? [0, 0, height, width] : [0, 0, width, height]),
      Matrix: numbersOf(matrices[field.rotation] ?? [1, 0, 0, 1, 0, 0]),
      Resources: picture.resources,
    },
    picture.content,
  )
  widget.set('AP', PdfDict.of({ N: source.register(stream) }))
}

function isWidget(dict: PdfDict, resolve: Resolve): boolean {
  const subtype = resolve(dict.get('Subtype'))
  return subtype instanceof PdfName && subtype.value === 'Widget'
}

/** A dictionary of states counts, even when the present state is not among them: then the field shows nothing. */
function hasAppearance(widget: PdfDict, resolve: Resolve): boolean {
  const appearance = resolve(widget.get('AP'))
  const normal = appearance instanceof PdfDict ? resolve(appearance.get('N')) : undefined
  return normal instanceof PdfStream || normal instanceof PdfDict
}
