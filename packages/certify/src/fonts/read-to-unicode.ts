import { PdfStream } from '@libpdf/core'
import type { ObjectStore, PdfObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

/** It names 65,536 codes at most. */
const MAX_MAP_BYTES = 4 << 20
/** What ranges may name together: each code may be named again. */
const MOST_NAMED = 1 << 20
const RANGE = /<([\s\da-f]*)>\s*<([\s\da-f]*)>\s*(?:<([\s\da-f]{4})[\s\da-f]*>|\[([^\]]*)\])/gi

/**
 * Reads which characters codes mean: of a list of characters the first (ISO 32000-2 section 9.10.3).
 * @param lastCode The highest that a code can be.
 */
export function readToUnicode(
  store: ObjectStore,
  stream: PdfObject | undefined,
  lastCode: number,
): Map<number, number> | undefined {
  if (!(stream instanceof PdfStream)) return undefined
  const content = decodeContent(store, stream, MAX_MAP_BYTES)
  const text = Buffer.from(content ?? '').toString('latin1')
  const meant = new Map<number, number>()
  const read = (digits: string | undefined): number => Number.parseInt(digits?.replaceAll(/\s/g, '') ?? '', 16)
  for (const [, list = ''] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code, to] of list.matchAll(/<([\s\da-f]*)>\s*<([\s\da-f]{4})/gi)) meant.set(read(code), read(to))
  let named = 0
  for (const [, list = ''] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, low, high, to, several] of list.matchAll(RANGE)) {
      const [from, last] = [read(low), Math.min(lastCode, read(high))]
      const each = several?.split('>').map((item) => read(item.replace(/^\s*</, '').slice(0, 4)))
      for (let code = from; code <= last && named < MOST_NAMED; code++, named++)
        meant.set(code, to === undefined ? (each![code - from] ?? Number.NaN) : read(to) + code - from)
    }
  for (const [code, to] of meant) if (Number.isNaN(code + to) || code > lastCode) meant.delete(code)
  return meant
}
