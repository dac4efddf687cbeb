import { PdfArray, PdfDict, PdfRef, PdfStream } from '@libpdf/core'
import type { ObjectStore, PdfObject } from './object-store.ts'
import { serializeObject } from './serialize-object.ts'

/** Small pieces are gathered up to this many bytes before they are handed over. */
const CHUNK_BYTES = 1 << 20

export interface Trailer {
  root: PdfRef
  info: PdfRef
  /** 16 bytes as 32 hex digits; stands twice in the trailer's /ID. */
  id: string
}

/** How a file begins that another file of the same layout begins with too. Its objects keep their numbers. */
export interface FileStart {
  /** The header and objects 1 to `count`. */
  bytes: Uint8Array
  count: number
  /** Their entries in the cross-reference table, as they stand there. */
  entries: Uint8Array
}

export interface Layout {
  /** What is written, in this order; all that can be reached, in the order of numbers, when absent. */
  order?: readonly number[]
  start?: FileStart
}

const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')
const PLAIN_START: FileStart = { bytes: HEADER, count: 0, entries: new Uint8Array() }

/** Where the first object begins. */
export const HEADER_BYTES = HEADER.length

/**
 * Writes the whole file once, in the one layout that the scanner of revision 0 reads: objects 1..n back to back, then a
 * cross-reference table, and nothing that is not reachable from the trailer. Stream data is handed over without a copy.
 * @param write Takes the bytes in order; a piece must not be changed later.
 */
export function writeFile(
  store: ObjectStore,
  trailer: Trailer,
  write: (bytes: Uint8Array) => void,
  { order = listReachable(store, trailer), start = PLAIN_START }: Layout = {},
): void {
  const numbers = new Map(order.map((objectNumber, index) => [objectNumber, start.count + index + 1]))
  const renumber = (objectNumber: number): number | undefined =>
    objectNumber <= start.count ? objectNumber : numbers.get(objectNumber)
  const offsets: number[] = []
  let position = start.bytes.length
  let pending: string[] = []
  let pendingBytes = 0
  const flush = (): void => {
    if (pendingBytes > 0) write(Buffer.from(pending.join(''), 'latin1'))
    pending = []
    pendingBytes = 0
  }
  const put = (text: string): void => {
    pending.push(text)
    pendingBytes += text.length
    position += text.length
    if (pendingBytes >= CHUNK_BYTES) flush()
  }
  write(start.bytes)
  for (const [index, objectNumber] of order.entries()) {
    const object = store.objects[objectNumber]!
    offsets.push(position)
    put(`${start.count + index + 1} 0 obj\n${serializeObject(object, renumber)}`)
    if (object instanceof PdfStream) {
      put('\nstream\n')
      flush()
      write(object.data)
      position += object.data.length
      put('\nendstream')
    }
    put('\nendobj\n')
  }
  const table = position
  const size = start.count + order.length + 1
  put(`xref\n0 ${size}\n0000000000 65535 f\r\n`)
  put(Buffer.from(start.entries).toString('latin1'))
  for (const offset of offsets) put(`${String(offset).padStart(10, '0')} 00000 n\r\n`)
  const root = numbers.get(trailer.root.objectNumber)
  const info = numbers.get(trailer.info.objectNumber)
  put(`trailer\n<</Size ${size}/Root ${root} 0 R/Info ${info} 0 R/ID[<${trailer.id}><${trailer.id}>]>>\n`)
  put(`startxref\n${table}\n%%EOF\n`)
  flush()
}

/** Numbers of the objects of the store that can be reached from the trailer, ascending. */
export const listReachable = (store: ObjectStore, { root, info }: Trailer): number[] => listNeeded(store, [root, info])

/** The same from any others. */
export function listNeeded(store: ObjectStore, from: readonly PdfRef[]): number[] {
  const seen = new Set<number>()
  const stack: PdfObject[] = [...from]
  for (let object = stack.pop(); object !== undefined; object = stack.pop()) {
    if (object instanceof PdfRef) {
      const number = object.objectNumber
      const target = store.objects[number]
      if (target === undefined || number === 0 || seen.has(number)) continue
      seen.add(number)
      stack.push(target)
    } else if (object instanceof PdfDict) {
      for (const [, value] of object) stack.push(value)
    } else if (object instanceof PdfArray) {
      for (const item of object) stack.push(item)
    }
  }
  return [...seen].sort((a, b) => a - b)
}
