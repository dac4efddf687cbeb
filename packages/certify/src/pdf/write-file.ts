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

/**
 * Writes the whole file once, in the one layout that the scanner of revision 0 reads: objects 1..n back to back, then a
 * cross-reference table, and nothing that is not reachable from the trailer. Stream data is handed over without a copy.
 * @param write Takes the bytes in order; a piece must not be changed later.
 */
export function writeFile(store: ObjectStore, trailer: Trailer, write: (bytes: Uint8Array) => void): void {
  const order = listReachable(store, trailer)
  const numbers = new Map(order.map((objectNumber, index) => [objectNumber, index + 1]))
  const renumber = (objectNumber: number): number | undefined => numbers.get(objectNumber)
  const offsets: number[] = []
  let position = 0
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
  put('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
  for (const [index, objectNumber] of order.entries()) {
    const object = store.objects[objectNumber]!
    offsets.push(position)
    put(`${index + 1} 0 obj\n${serializeObject(object, renumber)}`)
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
  put(`xref\n0 ${order.length + 1}\n0000000000 65535 f\r\n`)
  for (const offset of offsets) put(`${String(offset).padStart(10, '0')} 00000 n\r\n`)
  const root = numbers.get(trailer.root.objectNumber)
  const info = numbers.get(trailer.info.objectNumber)
  put(`trailer\n<</Size ${order.length + 1}/Root ${root} 0 R/Info ${info} 0 R/ID[<${trailer.id}><${trailer.id}>]>>\n`)
  put(`startxref\n${table}\n%%EOF\n`)
  flush()
}

/** Object numbers reachable from the trailer, ascending. */
function listReachable(store: ObjectStore, trailer: Trailer): number[] {
  const seen = new Set<number>()
  const stack: PdfObject[] = [trailer.root, trailer.info]
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
