import { PdfBool, PdfDict, PdfName, type PdfRef } from '@libpdf/core'
import { nameOf, type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'

/** On white paper these show the same as on nothing (ISO 32000-2 tables 134 and 135). */
const ALIKE_ON_PAPER = new Set(['Normal', 'Compatible', 'Multiply', 'Darken'])
/** Lists of resources whose entries can bring resources of their own. */
const DRAWN = ['XObject', 'Pattern', 'Font']

/**
 * What a page paints blends with what the page has painted before. PDFium lets it blend with the paper too, so that white letters that take the
 * difference are black on bare paper in it, and nothing to the reviewer's reader and to others: as a group that stands alone the page is the same to all.
 * @param pages The form that each page is.
 */
export function blendAlone(store: ObjectStore, pages: readonly PdfRef[]): void {
  const forms = pages.map((ref) => resolveObject(store, ref)).filter((form) => form instanceof PdfDict)
  const blending = findBlending(
    store,
    forms.map((form) => form.get('Resources')),
  )
  for (const form of forms) {
    const resources = resolveObject(store, form.get('Resources'))
    if (resources instanceof PdfDict && blending.has(resources))
      form.set('Group', PdfDict.of({ S: nameOf('Transparency'), I: PdfBool.TRUE }))
  }
}

/** Resources with which something blends, also in what they draw, which may lead back to them. */
function findBlending(store: ObjectStore, begin: readonly (PdfObject | undefined)[]): Set<PdfDict> {
  const users = new Map<PdfDict, PdfDict[]>()
  const list = (resources: PdfDict, key: string): PdfDict[] => {
    const entries = resolveObject(store, resources.get(key))
    const values = entries instanceof PdfDict ? [...entries].map(([, value]) => resolveObject(store, value)) : []
    return values.filter((value) => value instanceof PdfDict)
  }
  const seen = new Set<PdfDict>()
  const waiting = [...begin]
  const found: PdfDict[] = []
  while (waiting.length > 0) {
    const resources = resolveObject(store, waiting.pop())
    if (!(resources instanceof PdfDict) || seen.has(resources)) continue
    seen.add(resources)
    if (list(resources, 'ExtGState').some((state) => isBlending(store, state))) found.push(resources)
    for (const drawn of DRAWN.flatMap((key) => list(resources, key))) {
      const own = resolveObject(store, drawn.get('Resources'))
      if (!(own instanceof PdfDict)) continue
      const others = users.get(own)
      if (others === undefined) users.set(own, [resources])
      else others.push(resources)
      waiting.push(own)
    }
  }
  const blending = new Set<PdfDict>()
  for (let next = found.pop(); next !== undefined; next = found.pop()) {
    if (blending.has(next)) continue
    blending.add(next)
    for (const user of users.get(next) ?? []) found.push(user)
  }
  return blending
}

function isBlending(store: ObjectStore, state: PdfDict): boolean {
  const mode = resolveObject(store, state.get('BM'))
  return mode instanceof PdfName && !ALIKE_ON_PAPER.has(mode.value)
}
