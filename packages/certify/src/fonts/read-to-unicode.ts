import { PdfStream } from '@libpdf/core'
import type { ObjectStore, PdfObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

/** It names 65,536 codes at most. */
const MAX_MAP_BYTES = 4 << 20
/** What ranges may name together: each code may be named again. */
const MOST_NAMED = 1 << 20
/** Of what one code means. */
const MOST_UNITS = 16
const RANGE = /<([\s\da-f]*)>\s*<([\s\da-f]*)>\s*(?:<([\s\da-f]*)>|\[([^\]]*)\])/gi

/**
 * Reads which character each code means: of several the first (ISO 32000-2 section 9.10.3).
 * @param lastCode The highest that a code can be.
 */
export function readToUnicode(
  store: ObjectStore,
  stream: PdfObject | undefined,
  lastCode: number,
): Map<number, number> | undefined {
  const meanings = readMeanings(store, stream, lastCode)
  return meanings && new Map([...meanings].map(([code, text]) => [code, text.charCodeAt(0)]))
}

/** The same with all characters that a code means, such as those of a ligature. */
export function readMeanings(
  store: ObjectStore,
  stream: PdfObject | undefined,
  lastCode: number,
): Map<number, string> | undefined {
  if (!(stream instanceof PdfStream)) return undefined
  const content = decodeContent(store, stream, MAX_MAP_BYTES)
  const text = Buffer.from(content ?? '').toString('latin1')
  const meant = new Map<number, string>()
  for (const [, list = ''] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code, to] of list.matchAll(/<([\s\da-f]*)>\s*<([\s\da-f]*)>/gi))
      meant.set(readCode(code), readText(to))
  let named = 0
  for (const [, list = ''] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, low, high, to, several] of list.matchAll(RANGE)) {
      const [from, last] = [readCode(low), Math.min(lastCode, readCode(high))]
      const first = readText(to)
      const each = several?.split('>').map((item) => readText(item.replace(/^\s*</, '')))
      for (let code = from; code <= last && named < MOST_NAMED; code++, named++)
        meant.set(code, each === undefined ? addToLast(first, code - from) : (each[code - from] ?? ''))
    }
  for (const [code, to] of meant) if (Number.isNaN(code) || to === '' || code > lastCode) meant.delete(code)
  return meant
}

const withoutBlanks = (digits: string | undefined): string => digits?.replaceAll(/\s/g, '') ?? ''
const readCode = (digits: string | undefined): number => Number.parseInt(withoutBlanks(digits), 16)

function readText(digits: string | undefined): string {
  const units = withoutBlanks(digits).match(/[\da-f]{4}/gi) ?? []
  return String.fromCharCode(...units.slice(0, MOST_UNITS).map((unit) => Number.parseInt(unit, 16)))
}

/** In a range the last unit counts up. */
function addToLast(text: string, by: number): string {
  return text === '' ? '' : text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + by)
}
