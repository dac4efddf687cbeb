import { PdfArray, PdfDict, PdfRef } from '@libpdf/core'
import {
  nameOf,
  numberOf,
  numbersOf,
  type ObjectStore,
  type PdfObject,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import { type Box, readBox, readPageView } from '../pdf/page-box.ts'

/** Boxes that readers do not show by, for printers. */
const OTHER_BOXES = ['BleedBox', 'TrimBox', 'ArtBox']

const NUMBER = String.raw`-?\d+(?:\.\d+)?`
const BOX = String.raw`\[((?:${NUMBER} ?){4})\]`

/**
 * The one form of a page of a review document, as it is written: dictionaries have an entry on each line. What a page shows is
 * the form /PdPage; a page that shows nothing has no content either.
 */
const PAGE = new RegExp(
  String.raw`^(?<object>\d+) 0 obj\n<<\n/Type /Page\n/MediaBox ${BOX}\n(?:/CropBox ${BOX}\n)?` +
    OTHER_BOXES.map((name) => String.raw`(?:/${name} ${BOX}\n)?`).join('') +
    String.raw`(?:/Rotate (?<rotation>90|180|270)\n)?(?:/UserUnit (?<unit>${NUMBER})\n)?` +
    String.raw`(?:/Group (?<group>\d+) 0 R\n)?(?:/Annots (?<links>\d+) 0 R\n)?` +
    String.raw`/Resources <<\n(?:/XObject <<\n/PdPage (?<form>\d+) 0 R\n>>\n)?>>\n` +
    String.raw`(?:/Contents (?<contents>\d+) 0 R\n)?/Parent (?<parent>\d+) 0 R\n>>\nendobj\n$`,
)

/** The content of every page that shows anything. */
export const PAGE_CONTENT = 'q /PdPage Do Q\n'

/** How a page is seen and where its links lead: all of a copied page but its content. */
export function makePageEntries(store: ObjectStore, page: PdfDict): PdfDict {
  const resolve = (object: PdfObject | undefined): PdfObject | undefined => resolveObject(store, object)
  const view = readPageView(store, page)
  const entries = PdfDict.of({ Type: nameOf('Page'), MediaBox: numbersOf(view.mediaBox) })
  if (view.box.some((side, i) => side !== view.mediaBox[i])) entries.set('CropBox', numbersOf(view.box))
  for (const name of OTHER_BOXES) {
    const box = readBox(page.get(name), resolve)
    if (box !== undefined) entries.set(name, numbersOf(box))
  }
  if (view.rotation !== 0) entries.set('Rotate', numberOf(view.rotation))
  if (view.unit !== 1) entries.set('UserUnit', numberOf(view.unit))
  const group = page.get('Group')
  if (group !== undefined && resolve(group) instanceof PdfDict) entries.set('Group', refer(store, group))
  const links = page.get('Annots')
  if (links !== undefined && resolve(links) instanceof PdfArray) entries.set('Annots', refer(store, links))
  return entries
}

const refer = (store: ObjectStore, object: PdfObject): PdfRef =>
  object instanceof PdfRef ? object : registerObject(store, object)

export interface PageObject {
  object: number
  entries: PdfDict
  /** The form that it shows; undefined for a page that shows nothing. */
  form: PdfRef | undefined
  contents: number | undefined
  parent: number
}

/** Reads a page as `makePageEntries` made it. @returns undefined when it is in any other form. */
export function readPageObject(text: string): PageObject | undefined {
  const found = PAGE.exec(text)
  if (found === null) return undefined
  const [mediaBox, cropBox, ...others] = found.slice(2, 4 + OTHER_BOXES.length)
  const { object, rotation, unit, group, links, form, contents, parent } = found.groups!
  if ((form === undefined) !== (contents === undefined)) return undefined
  const entries = PdfDict.of({ Type: nameOf('Page'), MediaBox: numbersOf(toBox(mediaBox!)) })
  if (cropBox !== undefined) entries.set('CropBox', numbersOf(toBox(cropBox)))
  for (const [i, name] of OTHER_BOXES.entries()) {
    if (others[i] !== undefined) entries.set(name, numbersOf(toBox(others[i])))
  }
  if (rotation !== undefined) entries.set('Rotate', numberOf(Number(rotation)))
  if (unit !== undefined) entries.set('UserUnit', numberOf(Number(unit)))
  if (group !== undefined) entries.set('Group', PdfRef.of(Number(group), 0))
  if (links !== undefined) entries.set('Annots', PdfRef.of(Number(links), 0))
  return {
    object: Number(object),
    entries,
    form: form === undefined ? undefined : PdfRef.of(Number(form), 0),
    contents: contents === undefined ? undefined : Number(contents),
    parent: Number(parent),
  }
}

const toBox = (numbers: string): Box => numbers.split(' ').map(Number) as Box
