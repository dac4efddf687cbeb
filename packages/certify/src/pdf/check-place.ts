import type { PdfRef, PdfStream } from '@libpdf/core'

/** How far before its data a stream's own head is looked for. */
const REACH = 1 << 16
/** Numbers, blanks and the word. */
const HEAD_BYTES = 40

interface Head {
  number: number
  generation: number
  /** Bytes from the beginning of the file. */
  place: number
}

/**
 * Number and generation that stand before a stream. Undefined where it stands in no file by itself, as after decrypting.
 * @param file The whole file.
 */
export function findHead({ data }: PdfStream, file: Buffer): Head | undefined {
  if (data.buffer !== file.buffer || data.length === 0) return undefined
  const end = data.byteOffset - file.byteOffset
  for (let at = file.lastIndexOf('obj', end); at > 0 && end - at < REACH; at = file.lastIndexOf('obj', at - 1)) {
    const start = Math.max(0, at - HEAD_BYTES)
    const head = /(?<![\d.])(\d{1,10})\s+(\d{1,5})\s+$/.exec(file.toString('latin1', start, at))
    if (head !== null) return { number: Number(head[1]), generation: Number(head[2]), place: start + head.index }
  }
  return undefined
}

/**
 * Whether the table of objects led to another object than the one that was asked for, or to another generation of it. The parser
 * takes what stands there, the reviewer's reader takes nothing.
 */
export function isMisplaced(stream: PdfStream, { objectNumber, generation }: PdfRef, file: Buffer): boolean {
  const head = findHead(stream, file)
  return head !== undefined && (head.number !== objectNumber || head.generation !== generation)
}
