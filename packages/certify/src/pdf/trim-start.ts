import { PdfArray, PdfName, type PdfStream } from '@libpdf/core'

const LONGEST_BLANKS = 64

/**
 * The stream's data, without the blanks that some programs leave between `stream` and the end of its line: the parser takes
 * them for data, and deflate cannot begin with them.
 */
export function trimStart(stream: PdfStream): Uint8Array {
  const { data } = stream
  if (!isDeflated(stream) || !isBlank(data[0])) return data
  let start = 0
  while (start < LONGEST_BLANKS && isBlank(data[start])) start++
  const isBehindLine = data[start - 1] === 10 || data[start - 1] === 13
  return isBehindLine && hasDeflateHeader(data.subarray(start)) ? data.subarray(start) : data
}

/** Whether deflate is the first to unpack it. */
export function isDeflated(stream: PdfStream): boolean {
  const filter = stream.get('Filter')
  const first = filter instanceof PdfArray ? filter.at(0) : filter
  return first instanceof PdfName && (first.value === 'FlateDecode' || first.value === 'Fl')
}

/** Deflated data begin with two bytes that tell (RFC 1950 section 2.2). */
export function hasDeflateHeader([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 15) === 8 && (method * 256 + flags) % 31 === 0
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 9 || byte === 10 || byte === 13
}
