import { PdfArray, PdfDict, PdfName, PdfNumber, PdfStream } from '@libpdf/core'
import { constants, createInflate, inflateSync } from 'node:zlib'
import { decodeText } from './decode-ascii.ts'
import type { Resolve } from './resolve-in.ts'

/** The most bytes that one byte of input can become; names as in ISO 32000-2 table 6 and their abbreviations. */
const WORST_EXPANSION: Record<string, number> = {
  ASCIIHexDecode: 1,
  AHx: 1,
  ASCII85Decode: 4, // the letter z stands for four zero bytes
  A85: 4,
  RunLengthDecode: 64,
  RL: 64,
  FlateDecode: 1032,
  Fl: 1032,
  LZWDecode: 2731,
  LZW: 2731,
}
/** What stands between two filters is kept in memory, so it is small. */
const MAX_BETWEEN_BYTES = 16 << 20
const CHUNK_BYTES = 256 << 10

/** Labels of the stream's filters, in order; what is no name counts as an empty label. */
export function listFilters(stream: PdfStream, resolve: Resolve): string[] {
  const entry = resolve(stream.get('Filter'))
  const filters = entry instanceof PdfArray ? [...entry] : entry === undefined || entry === null ? [] : [entry]
  return filters.map((filter) => {
    const name = resolve(filter)
    return name instanceof PdfName ? name.value : ''
  })
}

/** Bytes that the data cannot exceed behind these filters. */
export function estimateWorst(bytes: number, labels: readonly string[]): number {
  return labels.reduce((worst, label) => worst * (WORST_EXPANSION[label] ?? 1), bytes)
}

/**
 * Tells whether the stream's data become more than `maxBytes` behind its filters, without ever holding them: plain deflate,
 * LZW and run lengths are counted, deflate behind another filter is measured through it. Image codecs end the count: their
 * size follows from the image's own figures.
 */
export async function exceedsBytes(stream: PdfStream, maxBytes: number, resolve: Resolve): Promise<boolean> {
  let data = stream.data
  const labels = listFilters(stream, resolve)
  while (labels.length > 0) {
    if (estimateWorst(data.length, labels) <= maxBytes) return false
    const [label = '', ...rest] = labels
    const isLast = estimateWorst(1, rest) === 1
    if (!(label in WORST_EXPANSION)) return false
    if (isLast) return (await countBytes(data, label, stream, resolve, maxBytes)) > maxBytes
    const next = decodeBetween(data, label)
    // nobody writes LZW inside another compression
    if (next === undefined) return true
    data = next
    labels.shift()
  }
  return data.length > maxBytes
}

/** How far the count goes past `maxBytes` says nothing. */
function countBytes(
  data: Uint8Array,
  label: string,
  stream: PdfStream,
  resolve: Resolve,
  maxBytes: number,
): Promise<number> | number {
  if (label === 'FlateDecode' || label === 'Fl') return countInflated(data, maxBytes)
  if (label === 'LZWDecode' || label === 'LZW') return countLzw(data, readEarlyChange(stream, resolve), maxBytes)
  if (label === 'RunLengthDecode' || label === 'RL') return countRunLengths(data)
  return estimateWorst(data.length, [label])
}

/** Bytes that the zlib stream becomes; counting ends soon after `maxBytes`. Of broken data what comes before the fault. */
export function countInflated(data: Uint8Array, maxBytes: number): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0
    const inflate = createInflate({ chunkSize: CHUNK_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
    const finish = (): void => resolve(bytes)
    inflate.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length
      if (bytes > maxBytes) inflate.destroy()
    })
    inflate.on('error', finish)
    inflate.on('close', finish)
    inflate.on('end', finish)
    inflate.end(data)
  })
}

/** Lengths of the table's entries are enough to know how long the text is (ISO 32000-2 section 7.4.4). */
function countLzw(data: Uint8Array, earlyChange: number, maxBytes: number): number {
  const lengths = new Uint32Array(4096).fill(1)
  let bytes = 0
  let next = 258
  let width = 9
  let previous = 0
  let held = 0
  let bits = 0
  for (let at = 0; at < data.length && bytes <= maxBytes; at++) {
    held = ((held << 8) | data[at]!) & 0xfffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (held >>> bits) & ((1 << width) - 1)
    if (code === 257) break
    if (code === 256) {
      next = 258
      width = 9
      previous = 0
      continue
    }
    const length = code < next ? lengths[code]! : previous + 1
    bytes += length
    if (previous > 0 && next < 4096) lengths[next++] = previous + 1
    previous = length
    const reached = next + earlyChange
    width = reached >= 2048 ? 12 : reached >= 1024 ? 11 : reached >= 512 ? 10 : 9
  }
  return bytes
}

function readEarlyChange(stream: PdfStream, resolve: Resolve): number {
  const entry = resolve(stream.get('DecodeParms'))
  const parameters = entry instanceof PdfArray ? resolve(entry.at(0)) : entry
  const early = parameters instanceof PdfDict ? resolve(parameters.get('EarlyChange')) : undefined
  return early instanceof PdfNumber && early.value === 0 ? 0 : 1
}

export function countRunLengths(data: Uint8Array): number {
  let bytes = 0
  for (let at = 0; at < data.length;) {
    const length = data[at]!
    if (length === 128) break
    bytes += length < 128 ? length + 1 : 257 - length
    at += length < 128 ? length + 2 : 2
  }
  return bytes
}

/** What the next filter of a chain gets. Undefined when it is more than chains are allowed. */
export function decodeBetween(data: Uint8Array, label: string): Uint8Array | undefined {
  if (label === 'FlateDecode' || label === 'Fl') {
    try {
      return inflateSync(data, { maxOutputLength: MAX_BETWEEN_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
    } catch {
      return undefined
    }
  }
  return decodeText(data, label)
}
