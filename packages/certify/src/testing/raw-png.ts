import { crc32 } from 'node:zlib'

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** @param damage Added to the checksum. */
export function writeChunk(kind: string, body: Uint8Array, damage = 0): Buffer {
  const typed = Buffer.concat([Buffer.from(kind, 'latin1'), body])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE((crc32(typed) + damage) >>> 0, 4)
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)])
}

export interface PngHeader {
  width: number
  height: number
  colourType?: number
  bitDepth?: number
  interlaced?: boolean
}

export function writeHeader({ width, height, colourType = 0, bitDepth = 8, interlaced = false }: PngHeader): Buffer {
  const body = Buffer.alloc(13)
  body.writeUInt32BE(width, 0)
  body.writeUInt32BE(height, 4)
  body.set([bitDepth, colourType, 0, 0, interlaced ? 1 : 0], 8)
  return writeChunk('IHDR', body)
}

export const PNG_END = writeChunk('IEND', Buffer.alloc(0))

/** A PNG of these compressed rows, with more chunks before and bytes behind them. */
export function writeRawPng(
  head: PngHeader,
  data: Uint8Array,
  extra: Buffer[] = [],
  tail: Uint8Array = Buffer.alloc(0),
): Buffer {
  return Buffer.concat([PNG_SIGNATURE, writeHeader(head), ...extra, writeChunk('IDAT', data), PNG_END, tail])
}
