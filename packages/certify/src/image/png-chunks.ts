import { crc32 } from 'node:zlib'
import { readOrientation } from './exif-orientation.ts'

/** A PNG taken apart (ISO/IEC 15948). */
export interface PngParts {
  width: number
  height: number
  bitDepth: number
  /** 0 grey, 2 colour, 3 palette, 4 grey and alpha, 6 colour and alpha. */
  colourType: number
  isInterlaced: boolean
  hasTransparency: boolean
  /** Red, green, blue of each palette entry. */
  palette: Uint8Array | undefined
  /** Exif orientation, 1 to 8; 1 when none is given. */
  orientation: number
  /** What the iCCP chunk holds: a name, a method and a compressed colour profile. */
  profileChunk: Uint8Array | undefined
  /** The zlib stream of filtered rows. */
  data: Uint8Array
}

interface Chunk {
  kind: string
  body: Uint8Array
  /** As it is computed from the chunk, for comparison with what is written behind it. */
  hasRightChecksum: () => boolean
}

/**
 * @returns undefined when chunks are cut off or out of shape. Checksums of chunks without which there is no picture are left to
 * the decoder that ran before; what only describes the picture is passed over when its checksum is wrong, as browsers do.
 */
export function readPng(bytes: Uint8Array): PngParts | undefined {
  const data: Uint8Array[] = []
  let header: Pick<PngParts, 'width' | 'height' | 'bitDepth' | 'colourType' | 'isInterlaced'> | undefined
  let palette: Uint8Array | undefined
  let profileChunk: Uint8Array | undefined
  let orientation: number | undefined
  let hasTransparency = false
  for (const chunk of listChunks(bytes)) {
    if (chunk === undefined) return undefined
    const { kind, body } = chunk
    if (kind === 'IHDR' && body.length === 13) {
      const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
      header = {
        width: view.getUint32(0),
        height: view.getUint32(4),
        bitDepth: body[8]!,
        colourType: body[9]!,
        isInterlaced: body[12] !== 0,
      }
    }
    if (kind === 'PLTE') palette = body
    if (kind === 'tRNS') hasTransparency = true
    if (kind === 'iCCP' && data.length === 0 && chunk.hasRightChecksum()) profileChunk ??= body
    // browsers heed the first of them, and only before the rows
    if (kind === 'eXIf' && data.length === 0 && chunk.hasRightChecksum()) orientation ??= readOrientation(body)
    if (kind === 'IDAT') data.push(body)
  }
  if (header === undefined || data.length === 0) return undefined
  return {
    ...header,
    hasTransparency,
    palette,
    orientation: orientation ?? 1,
    profileChunk,
    data: data.length === 1 ? data[0]! : Buffer.concat(data),
  }
}

/** Tells whether any chunk is not what its checksum says: something changed the file after it was written. */
export function hasWrongChecksum(bytes: Uint8Array): boolean {
  for (const chunk of listChunks(bytes)) if (chunk !== undefined && !chunk.hasRightChecksum()) return true
  return false
}

/** All chunks as far as the end chunk; undefined for one that is cut off, which is then the last. */
function* listChunks(bytes: Uint8Array): Generator<Chunk | undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + view.getUint32(at)
    if (end + 4 > bytes.length) return yield undefined
    const kind = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1')
    const covered = bytes.subarray(at + 4, end)
    yield { kind, body: covered.subarray(4), hasRightChecksum: () => crc32(covered) === view.getUint32(end) }
    if (kind === 'IEND') return
    at = end + 4
  }
}
