import { PdfName, PdfNumber, type PdfRef, PdfStream } from '@libpdf/core'
import { type ObjectStore, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { listNeeded } from '../pdf/write-file.ts'
import { checkOperators, type Drawn } from './check-operators.ts'
import { listGlyphs } from './list-glyphs.ts'

/** What has passed `checkObjects` unpacks to less. */
const MAX_CONTENT_BYTES = 1 << 30

/**
 * Looks at the operators of everything that draws: pages, which are forms by now, other forms, tiles and glyphs.
 * @throws Refusal `unreadable` where readers would not agree on them.
 */
export function checkDrawn(store: ObjectStore, pages: readonly PdfRef[]): void {
  const needed = listNeeded(store, pages).map((number) => store.objects[number])
  const glyphs = listGlyphs(store, needed)
  for (const object of needed) {
    if (!(object instanceof PdfStream)) continue
    const drawn: Drawn | undefined = glyphs.has(object) ? 'glyph' : isFormOrTile(store, object) ? 'page' : undefined
    const content = drawn && decodeContent(store, object, MAX_CONTENT_BYTES)
    if (drawn !== undefined && content !== undefined)
      checkOperators(Buffer.from(content.buffer, content.byteOffset, content.byteLength), drawn)
  }
}

function isFormOrTile(store: ObjectStore, stream: PdfStream): boolean {
  const subtype = resolveObject(store, stream.get('Subtype'))
  if (subtype instanceof PdfName) return subtype.value === 'Form'
  const pattern = resolveObject(store, stream.get('PatternType'))
  return pattern instanceof PdfNumber && pattern.value === 1
}
