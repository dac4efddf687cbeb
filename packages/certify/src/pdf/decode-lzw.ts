import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { decodeText } from './decode-ascii.ts'
import { listFilters } from './measure-stream.ts'

const CLEAR_TABLE = 256
const END_OF_DATA = 257
const TABLE_SIZE = 4096

/**
 * Unpacks LZW (ISO 32000-2 section 7.4.4). The parser's own decoder makes its codes longer one entry too late, and gives up on
 * nearly every file. Of data with a fault what comes before it stays.
 * @param earlyChange 1, or 0 for data whose codes become longer one entry later.
 * @returns undefined when it would be more than `maxBytes`.
 */
export function decodeLzw(data: Uint8Array, earlyChange: number, maxBytes: number): Uint8Array | undefined {
  let output = Buffer.alloc(Math.min(maxBytes, 4 * data.length + 1024))
  let size = 0
  // an entry is what was written before it with one byte more, so it stands in the output
  const starts = new Uint32Array(TABLE_SIZE)
  const lengths = new Uint32Array(TABLE_SIZE)
  let next = END_OF_DATA + 1
  let width = 9
  let previous = { start: 0, length: 0 }
  let held = 0
  let bits = 0
  for (let at = 0; at < data.length; at++) {
    held = ((held << 8) | data[at]!) & 0xfffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (held >>> bits) & ((1 << width) - 1)
    if (code === END_OF_DATA) break
    if (code === CLEAR_TABLE) {
      next = END_OF_DATA + 1
      width = 9
      previous = { start: 0, length: 0 }
      continue
    }
    if (previous.length > 0 && next < TABLE_SIZE) {
      starts[next] = previous.start
      lengths[next] = previous.length + 1
      next += 1
    }
    if (code >= next) break
    const length = code < CLEAR_TABLE ? 1 : lengths[code]!
    if (size + length > maxBytes) return undefined
    if (size + length > output.length) {
      output = Buffer.concat([output], Math.min(maxBytes, 2 * output.length + TABLE_SIZE))
    }
    // byte by byte: the last entry ends with the byte that it begins with here
    if (code < CLEAR_TABLE) output[size] = code
    else for (let i = 0; i < length; i++) output[size + i] = output[starts[code]! + i]!
    previous = { start: size, length }
    size += length
    const reached = next + earlyChange
    width = reached >= 2048 ? 12 : reached >= 1024 ? 11 : reached >= 512 ? 10 : 9
  }
  return output.subarray(0, size)
}

/**
 * The stream with its LZW unpacked, and what stands before that. Streams without LZW, and those that go through a predictor, are
 * returned as they are.
 * @returns undefined when it would be more than `maxBytes`.
 */
export function unpackLzw(stream: PdfStream, maxBytes: number): PdfStream | undefined {
  const labels = listFilters(stream, (object) => object)
  const index = labels.findIndex((label) => label === 'LZWDecode')
  const parameters = readParameters(stream, index)
  if (index < 0 || parameters?.has('Predictor')) return stream
  let data = stream.data
  for (const label of labels.slice(0, index)) {
    const text = data.length <= maxBytes ? decodeText(data, label) : undefined
    if (text === undefined) return stream
    data = text
  }
  const unpacked = decodeLzw(data, parameters?.getNumber('EarlyChange')?.value === 0 ? 0 : 1, maxBytes)
  if (unpacked === undefined) return undefined
  const rest = new PdfStream(stream, unpacked)
  const filters = labels.slice(index + 1).map((label) => PdfName.of(label))
  if (filters.length > 0) rest.set('Filter', new PdfArray(filters))
  else rest.delete('Filter')
  const list = stream.get('DecodeParms')
  if (list instanceof PdfArray && filters.length > 0) rest.set('DecodeParms', new PdfArray([...list].slice(index + 1)))
  else rest.delete('DecodeParms')
  return rest
}

/** A single dictionary is that of the first filter. */
function readParameters(stream: PdfStream, index: number): PdfDict | undefined {
  const entry = stream.get('DecodeParms')
  const found = entry instanceof PdfArray ? entry.at(index) : index === 0 ? entry : undefined
  return found instanceof PdfDict ? found : undefined
}
