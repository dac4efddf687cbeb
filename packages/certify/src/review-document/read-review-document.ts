import { CertifyError } from '../errors.ts'
import { type FileStart, HEADER_BYTES } from '../pdf/write-file.ts'
import { type PageObject, readPageObject } from './page-entries.ts'

/** The parts of a review document that a certified PDF takes over. */
export interface ReviewDocument {
  /** All that the pages need, unread. */
  start: FileStart
  /** In order; the first has the number that follows those of `start`. */
  pages: PageObject[]
}

/** Of an entry of the cross-reference table. */
const ENTRY_BYTES = 20
/** Room for the trailer and what follows it. */
const MAX_END_BYTES = 300

const END =
  /trailer\n<<\/Size (\d{1,10})\/Root (\d{1,10}) 0 R\/Info \d{1,10} 0 R\/ID\[<[0-9a-f]{32}><[0-9a-f]{32}>\]>>\nstartxref\n(\d{1,10})\n%%EOF\n$/
const CATALOG = /^\d+ 0 obj\n<<\n\/Type \/Catalog\n\/Pages (\d{1,10}) 0 R\n\/Outlines \d+ 0 R\n>>\nendobj\n$/
const TREE = /^\d+ 0 obj\n<<\n\/Type \/Pages\n\/Kids \[(\d{1,10}) 0 R[ \d0R]*\]\n\/Count (\d{1,10})\n>>\nendobj\n$/

/**
 * Finds the pages of a review document, as `prepareDocument` writes it and in no other layout, by its own cross-reference table.
 * What the pages need is not looked at: the scanner of revision 0 does that.
 * @throws CertifyError `build_failed` when it is laid out otherwise.
 */
export function readReviewDocument(bytes: Buffer): ReviewDocument {
  const endAt = Math.max(0, bytes.length - MAX_END_BYTES)
  const end = END.exec(bytes.toString('latin1', endAt))
  if (end === null) return refuse('its end')
  const [size, root, table] = end.slice(1).map(Number) as [number, number, number]
  const trailerAt = endAt + end.index
  const entriesAt = trailerAt - ENTRY_BYTES * (size - 1)
  const head = `xref\n0 ${size}\n0000000000 65535 f\r\n`
  if (entriesAt < HEADER_BYTES || entriesAt - head.length !== table) return refuse('its cross-reference table')
  if (bytes.toString('latin1', table, entriesAt) !== head) return refuse('its cross-reference table')

  const offsetOf = (object: number): number => {
    if (object === size) return table
    const at = entriesAt + ENTRY_BYTES * (object - 1)
    const entry = bytes.toString('latin1', at, at + ENTRY_BYTES)
    return object > 0 && object < size && /^\d{10} 00000 n\r\n$/.test(entry)
      ? Number(entry.slice(0, 10))
      : refuse('an entry')
  }
  const textOf = (object: number): string => bytes.toString('latin1', offsetOf(object), offsetOf(object + 1))

  const tree = CATALOG.exec(textOf(root))?.[1] ?? refuse('its catalog')
  const kids = textOf(Number(tree))
  const [first, count] = (TREE.exec(kids) ?? refuse('its page tree')).slice(1).map(Number) as [number, number]
  const numbers = Array.from({ length: Math.min(count, size) }, (_, i) => first + i)
  if (!kids.includes(`/Kids [${numbers.map((number) => `${number} 0 R`).join(' ')}]\n`))
    refuse('the order of its pages')
  const pages = numbers.map((number) => readPage(textOf(number), number, first + count, Number(tree)))
  const start = {
    bytes: bytes.subarray(0, offsetOf(first)),
    count: first - 1,
    entries: bytes.subarray(entriesAt, entriesAt + ENTRY_BYTES * (first - 1)),
  }
  return { start, pages }
}

/** @param contents Number of the stream that all pages share. */
function readPage(text: string, number: number, contents: number, tree: number): PageObject {
  const page = readPageObject(text)
  if (page?.object !== number || page.parent !== tree) return refuse(`page object ${number}`)
  if (page.contents !== undefined && page.contents !== contents) return refuse(`page object ${number}`)
  return page
}

function refuse(what: string): never {
  throw new CertifyError('build_failed', `the review document is not in its layout: ${what}`)
}
