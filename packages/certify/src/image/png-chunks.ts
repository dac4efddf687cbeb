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
  /** The zlib stream of filtered rows. */
  data: Uint8Array
}

/** @returns undefined when chunks are cut off or out of shape. Checksums are left to the decoder that ran before. */
export function readPng(bytes: Uint8Array): PngParts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const data: Uint8Array[] = []
  let header: Omit<PngParts, 'data' | 'palette' | 'hasTransparency'> | undefined
  let palette: Uint8Array | undefined
  let hasTransparency = false
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at)
    const end = at + 8 + length
    if (end + 4 > bytes.length) return undefined
    const kind = Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1')
    const body = bytes.subarray(at + 8, end)
    if (kind === 'IHDR' && length === 13) {
      header = {
        width: view.getUint32(at + 8),
        height: view.getUint32(at + 12),
        bitDepth: body[8]!,
        colourType: body[9]!,
        isInterlaced: body[12] !== 0,
      }
    }
    if (kind === 'PLTE') palette = body
    if (kind === 'tRNS') hasTransparency = true
    if (kind === 'IDAT') data.push(body)
    if (kind === 'IEND') break
    at = end + 4
  }
  if (header === undefined || data.length === 0) return undefined
  return { ...header, hasTransparency, palette, data: data.length === 1 ? data[0]! : Buffer.concat(data) }
}
