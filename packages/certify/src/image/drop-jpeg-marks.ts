const SOI_BYTES = 2
const SOS = 0xda
/** Of a camera, and of a program for what is added (Exif 2.32, ISO 16684-1). */
const HEEDED_TEXT = /^(?:Exif|http)/
const [TEXT_MARK, PROFILE_MARK] = [0xe1, 0xe2]
/** A segment's length is told by two bytes, which count themselves. */
const MOST_BODY = 0xffff - 2
const PROFILE = Buffer.from('ICC_PROFILE\0', 'latin1')

/**
 * Leaves out of a JPEG what only browsers heed. They decode it for the reviewer's reader, by a profile of colours within, turned as a
 * camera was held, or with what is added for brighter screens; readers of PDF heed none of these (ISO 32000-2 section 7.4.8).
 * @param profile Of its colours, which all readers are to heed.
 * @returns the same bytes where there is nothing else in it.
 */
export function dropJpegMarks(bytes: Uint8Array, profile?: Uint8Array): Uint8Array {
  const dropped = listDropped(bytes)
  if (dropped.length === 0) return bytes
  const parts: Uint8Array[] = []
  let at = 0
  for (const [begin, end] of dropped) {
    parts.push(bytes.subarray(at, begin))
    at = end
  }
  parts.push(bytes.subarray(at))
  const rest = Buffer.concat(parts)
  return profile === undefined
    ? rest
    : Buffer.concat([rest.subarray(0, SOI_BYTES), ...writeProfile(profile), rest.subarray(SOI_BYTES)])
}

/** Places of segments as far as the first scan, behind which nobody looks for them. */
function listDropped(bytes: Uint8Array): [begin: number, end: number][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const dropped: [number, number][] = []
  for (let at = SOI_BYTES; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!
    // fill bytes and marks without a body
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    const end = at + 2 + view.getUint16(at + 2)
    if (marker === SOS || end > bytes.length) break
    if (isHeeded(marker, bytes.subarray(at + 4, end))) dropped.push([at, end])
    at = end
  }
  return dropped
}

function isHeeded(marker: number, body: Uint8Array): boolean {
  if (marker !== TEXT_MARK) return marker === PROFILE_MARK
  return HEEDED_TEXT.test(Buffer.from(body.subarray(0, 4)).toString('latin1'))
}

/** In numbered pieces (ISO 15076-1 annex B.4). */
function writeProfile(profile: Uint8Array): Buffer[] {
  const room = MOST_BODY - PROFILE.length - 2
  const count = Math.ceil(profile.length / room)
  return Array.from({ length: count }, (_, i) => {
    const piece = profile.subarray(i * room, (i + 1) * room)
    const head = Buffer.of(0xff, 0xe2, 0, 0)
    head.writeUInt16BE(2 + PROFILE.length + 2 + piece.length, 2)
    return Buffer.concat([head, PROFILE, Buffer.of(i + 1, count), piece])
  })
}
