import { PdfDict, type PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { numberOf, type ObjectStore, resolveObject } from '../pdf/object-store.ts'
import type { Paint } from './read-paint.ts'

const NAME = 'PdOpaque'

/**
 * Within a group lines are opaque to begin with (ISO 32000-2 section 11.6.6). In the reviewer's reader they stay as translucent as lines around a group
 * are that is drawn opaque: those of a group that is drawn without lines were seen by all others.
 * @returns the content of a group, with its lines opaque.
 * @throws Refusal `unreadable` where it takes its resources from what draws it.
 */
export function beginOpaque(store: ObjectStore, group: PdfStream, content: Buffer): Buffer {
  const own = resolveObject(store, group.get('Resources'))
  if (!(own instanceof PdfDict)) throw new Disagreement('a group without resources among translucent lines')
  const listed = resolveObject(store, own.get('ExtGState'))
  const states = new PdfDict(listed instanceof PdfDict ? listed : undefined)
  states.set(NAME, PdfDict.of({ CA: numberOf(1) }))
  const resources = new PdfDict(own)
  resources.set('ExtGState', states)
  group.set('Resources', resources)
  return Buffer.concat([Buffer.from(`/${NAME} gs\n`, 'latin1'), content])
}

/** Whether some content can make lines translucent. */
export const hasTranslucentLines = (paints: Iterable<Paint>): boolean =>
  [...paints].some(({ opacities }) => [...opacities.values()].some(({ stroke = 1 }) => stroke < 1))
