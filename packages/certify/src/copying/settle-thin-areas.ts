import { PdfName, PdfStream } from '@libpdf/core'
import { deflateSync } from 'node:zlib'
import { listGlyphs } from '../fonts/list-glyphs.ts'
import { readOperators } from '../layers/content-operators.ts'
import { DEFLATE_LEVEL, type ObjectStore, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { extendPath, isEnding, isFilling, isLine, isNothing, measurePath, startPath } from '../pdf/simple-path.ts'

/** As in the content of a page. */
const MAX_CONTENT_BYTES = 128 << 20
/** Most content has neither: rectangles without width or height, and lines that are filled. */
const MAY_BE_NOTHING =
  /(?:^|\s)[-+]?(?:0+\.?0*|\.0+)\s+(?:[-+.\d]+\s+)?re\b|(?:^|\s)[lcvyh]\s+(?:f\*?|F|[Bb]\*?)(?:[\s%/[(<]|$)/

/** What paints the same but for the area within, at no greater length. */
const WITHOUT_AREA: Record<string, string> = { f: 'n', F: 'n', 'f*': 'n ', B: 'S', 'B*': 'S ', b: 's', 'b*': 's ' }

/**
 * Areas without height or width: the reviewer's reader shows nothing of them, others a line of a pixel, however large the page is drawn. They
 * are painted no more; what is drawn along their edges stays.
 */
export function settleThinAreas(store: ObjectStore): void {
  const glyphs = listGlyphs(store)
  for (const [number, object] of store.objects.entries()) {
    if (!(object instanceof PdfStream) || !(isForm(store, object) || object.has('PatternType') || glyphs.has(object)))
      continue
    const content = decodeContent(store, object, MAX_CONTENT_BYTES)
    const settled = content && leaveOutNothing(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
    if (settled === undefined) continue
    const copy = new PdfStream(object, deflateSync(settled, { level: DEFLATE_LEVEL }))
    copy.set('Filter', PdfName.of('FlateDecode'))
    copy.delete('DecodeParms')
    store.objects[number] = copy
  }
}

function isForm(store: ObjectStore, stream: PdfStream): boolean {
  const subtype = resolveObject(store, stream.get('Subtype'))
  return subtype instanceof PdfName && subtype.value === 'Form'
}

/** @returns undefined where there is none. */
export function leaveOutNothing(content: Buffer): Buffer | undefined {
  if (!MAY_BE_NOTHING.test(content.toString('latin1'))) return undefined
  let settled: Buffer | undefined
  let path = startPath()
  for (const { name, operands, end } of readOperators(content)) {
    if (isLine(name)) extendPath(path, name, () => operands.map(({ text }) => Number(text)))
    if (!isEnding(name)) continue
    const extent = isFilling(name) ? measurePath(path) : undefined
    path = startPath()
    if (extent === undefined || !isNothing(extent)) continue
    settled ??= Buffer.from(content)
    settled.write(WITHOUT_AREA[name]!, end - name.length, 'latin1')
  }
  return settled
}
