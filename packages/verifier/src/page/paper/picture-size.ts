/** What `readPictureSize` reads, as a file field names it. */
export const PICTURE_KINDS = 'image/jpeg,image/png,image/webp'

/** Pixels. */
export interface PictureSize {
  width: number
  height: number
}

/** Room for what stands before the size of a PNG or WebP. */
const HEAD_BYTES = 30
/** A photograph has some dozens of segments before its size, most of them pieces of a profile or of a second picture. */
const MOST_SEGMENTS = 2000

/**
 * How large a picture says it is, from its header alone: nothing of it is unpacked.
 * @returns undefined for another kind than `PICTURE_KINDS`, told apart as browsers do, and for one that does not say.
 * @see PNG (W3C) section 11.2.1; ITU-T T.81 section B.2.2; RFC 9649 section 2
 */
export async function readPictureSize(file: Blob): Promise<PictureSize | undefined> {
  const head = await readBytes(file, 0, HEAD_BYTES)
  const size = startsWith(head, 0, '\xff\xd8\xff')
    ? await readJpegSize(file)
    : startsWith(head, 0, '\x89PNG\r\n\x1a\n')
      ? readPngSize(head)
      : startsWith(head, 0, 'RIFF') && startsWith(head, 8, 'WEBP')
        ? readWebpSize(head)
        : undefined
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

function readPngSize(head: DataView): PictureSize | undefined {
  if (head.byteLength < 24 || !startsWith(head, 12, 'IHDR')) return undefined
  return { width: head.getUint32(16), height: head.getUint32(20) }
}

function readWebpSize(head: DataView): PictureSize | undefined {
  if (head.byteLength < HEAD_BYTES) return undefined
  if (startsWith(head, 12, 'VP8 ') && startsWith(head, 23, '\x9d\x01\x2a'))
    return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff }
  if (startsWith(head, 12, 'VP8L') && startsWith(head, 20, '\x2f')) {
    const bits = head.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!startsWith(head, 12, 'VP8X')) return undefined
  const read24 = (at: number) => head.getUint16(at, true) + head.getUint8(at + 2) * 0x1_0000
  return { width: read24(24) + 1, height: read24(27) + 1 }
}

/** Goes from segment to segment until one begins the picture. */
async function readJpegSize(file: Blob): Promise<PictureSize | undefined> {
  let at = 2
  for (let count = 0; count < MOST_SEGMENTS; count++) {
    const segment = await readBytes(file, at, 9)
    if (segment.byteLength < 9 || segment.getUint8(0) !== 0xff) return undefined
    const marker = segment.getUint8(1)
    if (marker === 0xff) {
      // Any number of these may stand before a marker.
      at++
      continue
    }
    if (isFrame(marker)) return { width: segment.getUint16(7), height: segment.getUint16(5) }
    // Also where the picture begins, and never said how large it is: what is read here otherwise than by a decoder could hide it.
    if (!standsAlone(marker) && !hasLength(marker)) return undefined
    at += standsAlone(marker) ? 2 : 2 + segment.getUint16(2)
  }
  return undefined
}

/** SOF0 to SOF15 without the tables that stand among them: DHT, JPG, DAC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** TEM and RST0 to RST7. */
const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** DHT, DAC, DQT, DNL, DRI, APP0 to APP15, COM. */
const hasLength = (marker: number): boolean =>
  [0xc4, 0xcc, 0xdb, 0xdc, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef)

async function readBytes(file: Blob, from: number, count: number): Promise<DataView> {
  return new DataView(await file.slice(from, from + count).arrayBuffer())
}

function startsWith(view: DataView, at: number, text: string): boolean {
  if (view.byteLength < at + text.length) return false
  return [...text].every((sign, index) => view.getUint8(at + index) === sign.codePointAt(0))
}
