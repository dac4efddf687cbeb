import { PDF, PdfArray, PdfDict, PdfName, PdfRef } from '@libpdf/core'
import type { PdfObject } from './object-store.ts'

/** Optional content of all documents (ISO 32000-2 section 8.11). Without it, hidden layers would show. */
export interface Layers {
  groups: PdfRef[]
  hidden: PdfRef[]
  /** Usage application dictionaries: layers that differ between screen and print. */
  automatic: PdfObject[]
}

export function createLayers(): Layers {
  return { groups: [], hidden: [], automatic: [] }
}

/** Adds one document's layers, in the state in which they are shown by default. */
export function copyLayers(source: PDF, layers: Layers, copy: (object: PdfObject) => PdfObject | undefined): void {
  const resolve = (object: PdfObject | undefined): PdfObject | null | undefined =>
    object instanceof PdfRef ? source.getObject(object) : object
  const properties = resolve(source.getCatalog().get('OCProperties'))
  if (!(properties instanceof PdfDict)) return
  const copyList = (object: PdfObject | undefined): PdfObject[] => {
    const array = resolve(object)
    return array instanceof PdfArray ? [...array].map(copy).filter((item) => item !== undefined) : []
  }
  const copyRefs = (object: PdfObject | undefined): PdfRef[] =>
    copyList(object).filter((item) => item instanceof PdfRef)
  const groups = copyRefs(properties.get('OCGs'))
  layers.groups.push(...groups)
  const shown = resolve(properties.get('D'))
  if (!(shown instanceof PdfDict)) return
  layers.hidden.push(...copyRefs(shown.get('OFF')))
  layers.automatic.push(...copyList(shown.get('AS')))
  const base = resolve(shown.get('BaseState'))
  if (base instanceof PdfName && base.value === 'OFF') {
    const visible = new Set(copyRefs(shown.get('ON')).map((ref) => ref.objectNumber))
    layers.hidden.push(...groups.filter((ref) => !visible.has(ref.objectNumber)))
  }
}

/** The catalog's /OCProperties, undefined when no document has layers. */
export function makeLayerProperties(layers: Layers): PdfDict | undefined {
  if (layers.groups.length === 0) return undefined
  const shown = PdfDict.of({ Order: new PdfArray([...layers.groups]), OFF: new PdfArray(dropRepeated(layers.hidden)) })
  if (layers.automatic.length > 0) shown.set('AS', new PdfArray(layers.automatic))
  return PdfDict.of({ OCGs: new PdfArray(dropRepeated(layers.groups)), D: shown })
}

function dropRepeated(refs: PdfRef[]): PdfRef[] {
  return [...new Map(refs.map((ref) => [ref.objectNumber, ref])).values()]
}
