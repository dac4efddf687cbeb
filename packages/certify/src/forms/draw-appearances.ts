import { type PDF, PdfArray, PdfBool, PdfDict, PdfNull, PdfRef, PdfStream } from '@libpdf/core'
import { isShown, readKind } from '../annotations/shown-annotations.ts'
import { Refusal } from '../errors.ts'
import { listTexts } from './choose-font.ts'
import { drawField, type FieldPicture } from './field-picture.ts'
import { FLAGS, type FormField, readField, readState, type Resolve } from './form-field.ts'
import { readFreeText } from './free-text.ts'
import type { OwnFaces } from './own-font.ts'
import type { SourcePage } from '../pdf/list-pages.ts'
import {
  createObjectStore,
  makeStream,
  nameOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
} from '../pdf/object-store.ts'
import { resolveIn } from '../pdf/resolve-in.ts'
import { withTypefaces } from '../text/choose-typeface.ts'
import { createInk, embedInk } from '../text/ink.ts'
import { lacksFaces } from '../text/split-runs.ts'

/** A widget that is to be drawn. */
interface Drawing {
  widget: PdfDict
  field: FormField
}

/**
 * Gives form fields, and words written on the page, the picture that a screen shows of them, because the copy has no form that a
 * viewer could draw them from: from their values where the form asks viewers to draw its fields, and where they have none.
 * Changes the loaded source only.
 * @throws Refusal `unreadable` where a value has no picture and cannot be drawn: it must not be lost.
 */
export async function drawAppearances(source: PDF, pages: readonly SourcePage[]): Promise<void> {
  const resolveAny = resolveIn(source)
  // an entry that is null counts as missing (ISO 32000-2 section 7.3.7)
  const resolve: Resolve = (object) => {
    const target = resolveAny(object ?? undefined)
    return target === null || target instanceof PdfNull ? undefined : target
  }
  const drawings = listDrawings(source, pages, resolve)
  if (drawings.length === 0) return
  const faces = prepareFaces(source)
  await withTypefaces(
    drawings.flatMap(({ field }) => listTexts(field)),
    () => {
      for (const { widget, field } of drawings) {
        if (tryDrawing(source, field, widget, resolve, faces.take)) continue
        // what the form's program drew of it is still there; what a button says is no value
        if (hasAppearance(widget, resolve) || field.text === '' || field.kind === 'push') continue
        throw new Refusal('ambiguous', 'a form value that cannot be drawn')
      }
      faces.embed()
    },
  )
}

function listDrawings(source: PDF, pages: readonly SourcePage[], resolve: Resolve): Drawing[] {
  const form = resolve(source.getCatalog().get('AcroForm'))
  const isAsked = form instanceof PdfDict && isTrue(resolve(form.get('NeedAppearances')))
  const drawings: Drawing[] = []
  for (const { dict } of pages) {
    const annotations = resolve(dict.get('Annots'))
    if (!(annotations instanceof PdfArray)) continue
    for (const item of annotations) {
      const widget = resolve(item)
      if (!(widget instanceof PdfDict)) continue
      // a broken field must not cost the document its pages
      try {
        const words = readFreeText(widget, resolve)
        if (words !== undefined) drawings.push({ widget, field: words })
        if (!(form instanceof PdfDict) || readKind(widget, resolve) !== 'Widget') continue
        const field = readField(form, widget, resolve)
        if (field === undefined) continue
        if (field.kind === 'check' || field.kind === 'radio') settleState(widget, field.kind, resolve)
        const isDue = isDrawn(field, isAsked, hasAppearance(widget, resolve)) && isShown(widget, resolve)
        if (isDue) drawings.push({ widget, field })
      } catch {
        // it stays as it is
      }
    }
  }
  return drawings
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

/**
 * A field without a picture is drawn by every reader that shows forms, whether the form asks for it or not. Boxes and buttons keep the
 * picture that they have: a value changes the state alone, and the reviewer's reader and PDFium draw none of their own.
 */
function isDrawn({ kind, flags }: FormField, isAsked: boolean, hasLook: boolean): boolean {
  if (kind === 'check' || kind === 'radio' || kind === 'push') return !hasLook
  if (kind === 'text' && (flags & FLAGS.password) !== 0 && hasLook) return false
  return isAsked || !hasLook
}

/** A box whose state is not among its pictures shows the one for its value, else the one for off. */
function settleState(widget: PdfDict, kind: FormField['kind'], resolve: Resolve): void {
  const looks = resolve(widget.get('AP'))
  const states = looks instanceof PdfDict ? resolve(looks.get('N')) : undefined
  if (!(states instanceof PdfDict) || states instanceof PdfStream) return
  const state = readState(widget, kind, resolve)
  widget.set('AS', nameOf(state !== undefined && states.has(state) ? state : 'Off'))
}

/** @returns false when there are characters that no face has, or nothing could be made of the field; then it is as it was. */
function tryDrawing(
  source: PDF,
  field: FormField,
  widget: PdfDict,
  resolve: Resolve,
  takeOwnFaces: () => OwnFaces,
): boolean {
  try {
    if (listTexts(field).some((text) => lacksFaces(text, 'text'))) return false
    const picture = drawField(field, resolve, takeOwnFaces)
    if (picture === undefined) widget.delete('AP')
    else widget.set('AP', PdfDict.of({ N: source.register(makePicture(field, picture)) }))
    return true
  } catch {
    return false
  }
}

function makePicture({ width, height, rotation }: FormField, { content, resources }: FieldPicture): PdfStream {
  const matrices: Record<number, number[]> = {
    90: [0, 1, -1, 0, width, 0],
    180: [-1, 0, 0, -1, width, height],
    270: [0, -1, 1, 0, 0, height],
  }
  const isTurned = rotation % 180 !== 0
  return makeStream(
    {
      Type: nameOf('XObject'),
      Subtype: nameOf('Form'),
      BBox: numbersOf(isTurned ? [0, 0, height, width] : [0, 0, width, height]),
      Matrix: numbersOf(matrices[rotation] ?? [1, 0, 0, 1, 0, 0]),
      Resources: resources,
    },
    content,
  )
}

function isTrue(object: PdfObject | undefined): boolean {
  return object instanceof PdfBool && object.value
}

/** A dictionary of states counts, even when the present state is not among them: then the field shows nothing. */
function hasAppearance(widget: PdfDict, resolve: Resolve): boolean {
  const appearance = resolve(widget.get('AP'))
  const normal = appearance instanceof PdfDict ? resolve(appearance.get('N')) : undefined
  return normal instanceof PdfStream || normal instanceof PdfDict
}
