import { type PDF, PdfArray, PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core'
import { createInk, embedInk } from '../text/ink.ts'
import type { OwnFaces } from './field-font.ts'
import { drawField } from './field-picture.ts'
import { readField, type Resolve } from './form-field.ts'
import type { SourcePage } from '../pdf/list-pages.ts'
import {
  createObjectStore,
  makeStream,
  nameOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
} from '../pdf/object-store.ts'

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
  const faces = prepareFaces(source)
  for (const { dict } of pages) {
    const annotations = resolve(dict.get('Annots'))
    if (!(annotations instanceof PdfArray)) continue
    for (const item of annotations) {
      const widget = resolve(item)
      if (!(widget instanceof PdfDict) || !isWidget(widget, resolve) || hasAppearance(widget, resolve)) continue
      // a broken field must not cost the document its pages
      try {
        drawWidget(source, form, widget, resolve, faces.take)
      } catch {
        // it stays as it is
      }
    }
  }
  faces.embed()
}

/** Our own faces for one document, which most never need: they are embedded in it as if they had always been there. */
function prepareFaces(source: PDF): { take(): OwnFaces; embed(): void } {
  let own: { faces: OwnFaces; store: ObjectStore; fonts: PdfDict } | undefined
  return {
    take() {
      if (own === undefined) {
        const store = createObjectStore()
        const fonts = new PdfDict()
        own = { faces: { ink: createInk(store), fonts: source.register(fonts) }, store, fonts }
      }
      return own.faces
    },
    embed() {
      if (own === undefined) return
      embedInk(own.faces.ink, own.store)
      const moved = new Map<number, PdfRef>()
      for (const [name, font] of own.faces.ink.fonts)
        own.fonts.set(name.value, moveObject(font, own.store, source, moved))
    },
  }
}

/** Fonts are trees of a few levels. */
function moveObject(object: PdfObject, from: ObjectStore, to: PDF, moved: Map<number, PdfRef>): PdfObject {
  if (object instanceof PdfRef) {
    const known = moved.get(object.objectNumber)
    const ref = known ?? to.register(moveObject(from.objects[object.objectNumber]!, from, to, moved))
    moved.set(object.objectNumber, ref)
    return ref
  }
  if (object instanceof PdfArray) return new PdfArray([...object].map((item) => moveObject(item, from, to, moved)))
  if (!(object instanceof PdfDict)) return object
  const copy = object instanceof PdfStream ? new PdfStream(new PdfDict(), object.data) : new PdfDict()
  for (const [key, value] of object) copy.set(key.value, moveObject(value, from, to, moved))
  return copy
}

function drawWidget(source: PDF, form: PdfDict, widget: PdfDict, resolve: Resolve, takeOwnFaces: () => OwnFaces): void {
  const field = readField(form, widget, resolve)
  const picture = field === undefined ? undefined : drawField(field, resolve, takeOwnFaces)
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
