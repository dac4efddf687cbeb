import { PdfStream } from '@libpdf/core'
import { constants, inflateSync } from 'node:zlib'
import { Refusal } from '../errors.ts'
import { decodeText } from './decode-ascii.ts'
import { estimateWorst, listFilters } from './measure-stream.ts'

/** One stream that the parser itself must inflate (object and cross-reference streams, form fonts). */
const MAX_STREAM_BYTES = 64 << 20
/** All such streams of one document together. */
const MAX_DOCUMENT_BYTES = 256 << 20

const budget = { bytesLeft: MAX_DOCUMENT_BYTES, isExceeded: false }
const decodeUnguarded = Object.getOwnPropertyDescriptor(PdfStream.prototype, 'getDecodedData')?.value as (
  this: PdfStream,
) => Uint8Array
let isInstalled = false

/**
 * Puts a bound in front of the parser's own decoding, which has none: a 1 MB object stream may become 1 GB. The bound sits
 * at the call and not in a search of the raw bytes, so it also holds for encrypted, oddly spelled and nested streams.
 * A process that parses untrusted files calls this once.
 */
export function guardDecoding(): void {
  if (isInstalled) return
  isInstalled = true
  PdfStream.prototype.getDecodedData = function getBoundedData(this: PdfStream): Uint8Array {
    spendBytes(measureDecoded(this))
    return decodeUnguarded.call(this)
  }
}

/** Starts the count for the next document. */
export function resetDecodingBudget(): void {
  budget.bytesLeft = MAX_DOCUMENT_BYTES
  budget.isExceeded = false
}

/** The lenient parser swallows errors; this tells afterwards that one of them was ours. */
export function isDecodingBudgetExceeded(): boolean {
  return budget.isExceeded
}

function spendBytes(bytes: number): void {
  budget.bytesLeft -= bytes
  if (budget.bytesLeft >= 0 && bytes <= MAX_STREAM_BYTES) return
  budget.isExceeded = true
  throw new Refusal('decompression_bomb', 'a structural stream inflates beyond its bound')
}

/** Bytes that decoding will take: measured for deflate, also inside text encodings; the worst case for other filters. */
function measureDecoded(stream: PdfStream): number {
  const labels = listFilters(stream, (object) => object)
  let data = stream.data
  for (let label = labels[0]; label !== undefined && labels.length > 1; label = labels[0]) {
    const text = data.length <= MAX_STREAM_BYTES ? decodeText(data, label) : undefined
    if (text === undefined) break
    data = text
    labels.shift()
  }
  if (labels.length === 1 && (labels[0] === 'FlateDecode' || labels[0] === 'Fl')) return measureInflated(data)
  return estimateWorst(data.length, labels)
}

function measureInflated(data: Uint8Array): number {
  try {
    return inflateSync(data, { maxOutputLength: MAX_STREAM_BYTES, finishFlush: constants.Z_SYNC_FLUSH }).length
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    // broken data: the parser keeps what came before the fault, which is never more than the worst case
    return isTooLarge ? Infinity : Math.min(estimateWorst(data.length, ['FlateDecode']), MAX_STREAM_BYTES)
  }
}
