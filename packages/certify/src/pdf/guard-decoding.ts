import { PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core'
import { constants, inflateSync } from 'node:zlib'
import { Refusal } from '../errors.ts'
import { mendObjectStream } from './mend-syntax.ts'
import { decodeText } from './decode-ascii.ts'
import { unpackLzw } from './decode-lzw.ts'
import { spellFilters } from './filter-names.ts'
import { narrowEntries, narrowFields, readWideFields } from './narrow-entries.ts'
import { trimStart } from './trim-start.ts'
import { countRunLengths, decodeBetween, estimateWorst, listFilters } from './measure-stream.ts'

/** One stream that the parser itself must inflate (object and cross-reference streams, form fonts). */
const MAX_STREAM_BYTES = 64 << 20
/** All such streams of one document together. */
const MAX_DOCUMENT_BYTES = 256 << 20

/** More objects than a file within our limits of pages and bytes has; each costs the parser some hundred bytes. */
const MAX_CROSS_REFERENCES = 4_000_000

const budget: { bytesLeft: number; refusal: Refusal | undefined } = {
  bytesLeft: MAX_DOCUMENT_BYTES,
  refusal: undefined,
}
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
    const data = trimStart(this)
    const filter = this.get('Filter')
    const spelt = filter === undefined ? undefined : spellFilters(filter)
    const packed = data === this.data && spelt === filter ? this : new PdfStream(this, data)
    if (spelt !== undefined && spelt !== filter) packed.set('Filter', spelt)
    const stream = unpackLzw(packed, MAX_STREAM_BYTES) ?? refuseBomb()
    spendBytes(measureDecoded(stream))
    const decoded = decodeUnguarded.call(stream)
    const type = this.get('Type')
    if (type instanceof PdfName && type.value === 'XRef') checkEntries(this, decoded.length)
    const wide = readWideFields(this)
    if (wide !== undefined) return narrowEntries(decoded, wide)
    return type instanceof PdfName && type.value === 'ObjStm' ? mendObjectStream(decoded) : decoded
  }
  PdfStream.prototype.getArray = function getArray(this: PdfStream, key, resolve): PdfArray | undefined {
    const wide = key === 'W' ? readWideFields(this) : undefined
    return wide === undefined ? PdfDict.prototype.getArray.call(this, key, resolve) : narrowFields(wide)
  }
}

/** Starts the count for the next document. */
export function resetDecodingBudget(): void {
  budget.bytesLeft = MAX_DOCUMENT_BYTES
  budget.refusal = undefined
}

/** The lenient parser swallows errors; this tells afterwards of one that was ours. @throws that Refusal */
export function checkDecodingBudget(): void {
  if (budget.refusal) throw budget.refusal
}

function spendBytes(bytes: number): void {
  budget.bytesLeft -= bytes
  if (budget.bytesLeft >= 0 && bytes <= MAX_STREAM_BYTES) return
  refuseBomb()
}

function refuseBomb(): never {
  refuse(new Refusal('decompression_bomb', 'a structural stream inflates beyond its bound'))
}

/** The parser reads as many entries as are announced, also where each takes no byte (ISO 32000-2 section 7.5.8.2). */
function checkEntries(stream: PdfStream, bytes: number): void {
  const widths = stream.get('W')
  let entryBytes = 0
  if (widths instanceof PdfArray) {
    for (const width of widths) if (width instanceof PdfNumber) entryBytes += Math.max(0, width.value)
  }
  if (entryBytes > 0 && bytes / entryBytes <= MAX_CROSS_REFERENCES) return
  refuse(new Refusal('too_much_memory', 'a cross-reference stream lists more objects than a file may have'))
}

function refuse(refusal: Refusal): never {
  budget.refusal ??= refusal
  throw refusal
}

/** Bytes that decoding will take: measured for deflate and run lengths, also inside others; the worst case for other filters. */
function measureDecoded(stream: PdfStream): number {
  const labels = listFilters(stream, (object) => object)
  // what predictors make of deflated rows is not what the next filter would be counted by
  const isPlain = !stream.has('DecodeParms') && !stream.has('DP')
  let data = stream.data
  for (let label = labels[0]; label !== undefined && labels.length > 1; label = labels[0]) {
    const unpack = isPlain && isRunLengths(labels.slice(1)) ? decodeBetween : decodeText
    const between = data.length <= MAX_STREAM_BYTES ? unpack(data, label) : undefined
    if (between === undefined) break
    data = between
    labels.shift()
  }
  if (isRunLengths(labels)) return countRunLengths(data)
  if (labels.length === 1 && (labels[0] === 'FlateDecode' || labels[0] === 'Fl')) return measureInflated(data)
  return estimateWorst(data.length, labels)
}

const isRunLengths = (labels: readonly string[]): boolean =>
  labels.length === 1 && (labels[0] === 'RunLengthDecode' || labels[0] === 'RL')

function measureInflated(data: Uint8Array): number {
  try {
    return inflateSync(data, { maxOutputLength: MAX_STREAM_BYTES, finishFlush: constants.Z_SYNC_FLUSH }).length
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    // broken data: the parser keeps what came before the fault, which is never more than the worst case
    return isTooLarge ? Infinity : Math.min(estimateWorst(data.length, ['FlateDecode']), MAX_STREAM_BYTES)
  }
}
