import { PdfArray, PdfBool, PdfDict, type PdfStream } from '@libpdf/core'
import { listFilters } from '../pdf/measure-stream.ts'
import { type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'

/** Pixels; larger ones are no blanks. */
const MOST_PIXELS = 4096
/** Filters whose data are the samples themselves. */
const PLAIN = new Set(['FlateDecode', 'LZWDecode', 'ASCIIHexDecode', 'ASCII85Decode', 'RunLengthDecode'])
/** A row of one white pixel (ITU-T T.4 table 2), of six bits. */
const WHITE_ONE = 0b000111

interface Samples {
  width: number
  height: number
  data: Uint8Array
  /** Ones are painted, not zeros. */
  isReversed: boolean
}

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/** Blanks of fonts that are pictures: programs that write them have a pixel there, or a few, that are not painted. Told of small ones alone. */
export function isBlankStencil(store: ObjectStore, stencil: PdfStream): boolean {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const [width = 0, height = 0] = ['Width', 'Height'].map((key) => readNumber(stencil.get(key), resolve))
  const decode = resolve(stencil.get('Decode'))
  const range = decode instanceof PdfArray ? [...decode].map((item) => readNumber(item, resolve)) : [0, 1]
  if (!isRange(range)) return false
  const isReversed = range[0] === 1
  const filters = listFilters(stencil, resolve)
  if (filters.join() === 'CCITTFaxDecode')
    return width === 1 && height === 1 && isReversed === isWhiteZero(stencil, resolve)
  if (width * height > MOST_PIXELS || stencil.has('DecodeParms') || !filters.every((name) => PLAIN.has(name)))
    return false
  try {
    return isUnpainted({ width, height, data: stencil.getDecodedData(), isReversed })
  } catch {
    // what cannot be unpacked is no blank, and is told elsewhere
    return false
  }
}

/** @param entries Of an image among operators, up to its data. */
export function isBlankInlineStencil(entries: string, data: Uint8Array): boolean {
  // readers may take other entries behind comments, and the first or the last of two ranges
  if (/\/(?:F|Filter)\b|%|\/(?:D|Decode)\b.*\/(?:D|Decode)\b/s.test(entries)) return false
  const [width, height] = [/\/(?:W|Width)\s+(\d+)/, /\/(?:H|Height)\s+(\d+)/].map((key) =>
    Number(key.exec(entries)?.[1]),
  )
  const decode = /\/(?:D|Decode)\b\s*\[?([^\]]*)/.exec(entries)?.[1]
  const range = decode === undefined ? [0, 1] : decode.trim().split(/\s+/).map(Number)
  if (!width || !height || !isRange(range)) return false
  return isUnpainted({ width, height, data, isReversed: range[0] === 1 })
}

/** Others are odd, and readers make of them what they will. */
const isRange = (range: readonly (number | undefined)[]): boolean => range.join() === '0,1' || range.join() === '1,0'

function isUnpainted({ width, height, data, isReversed }: Samples): boolean {
  const perRow = Math.ceil(width / 8)
  if (width * height > MOST_PIXELS || data.length < perRow * height) return false
  const unpainted = isReversed ? 0 : 0xff
  const beyond = 8 * perRow - width
  for (let at = 0; at < perRow * height; at++) {
    const isLast = (at + 1) % perRow === 0
    if ((data[at]! ^ unpainted) >> (isLast ? beyond : 0) !== 0) return false
  }
  return true
}

/** @returns whether the sample of the only pixel is 0; undefined unless it is sure to be white. */
function isWhiteZero(stencil: PdfStream, resolve: Resolve): boolean | undefined {
  const list = resolve(stencil.get('DecodeParms'))
  const found = list instanceof PdfArray ? resolve(list.at(0)) : list
  const entries = found instanceof PdfDict ? found : undefined
  const k = readNumber(entries?.get('K'), resolve) ?? 0
  const blackIs1 = resolve(entries?.get('BlackIs1'))
  const [first = 0] = stencil.data
  if (k > 0) return undefined
  // in two dimensions a row as the white one before it is a single bit (T.6 table 1)
  const isWhite = k < 0 ? first >> 7 === 1 : first >> 2 === WHITE_ONE
  return isWhite ? blackIs1 instanceof PdfBool && blackIs1.value : undefined
}
