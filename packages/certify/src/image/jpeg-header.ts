/** What a PDF needs to know to show a JPEG as it is (ITU-T T.81 annex B, Exif 2.32, Adobe technical note 5116). */
export interface JpegHeader {
  width: number
  height: number
  /** 1 grey, 3 colour, 4 ink. */
  components: number
  /** Bits per component. */
  precision: number
  /** Second byte of the frame marker: 0xC0 baseline, 0xC1 extended, 0xC2 progressive. */
  frame: number
  /** An Adobe marker is there: four-component files are then written inverted. */
  isAdobe: boolean
  /** Exif orientation, 1 to 8; 1 when none is given. */
  orientation: number
}

/** Reads the header as far as the first scan. @returns undefined when there is no frame. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let orientation = 1
  let isAdobe = false
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (marker === 0xda || marker === 0xd9) return undefined
    const length = view.getUint16(at + 2)
    const end = at + 2 + length
    if (length < 2 || end > bytes.length) return undefined
    const body = bytes.subarray(at + 4, end)
    if (marker === 0xe1 && orientation === 1) orientation = readOrientation(body)
    if (marker === 0xee && startsWith(body, 'Adobe')) isAdobe = true
    if (isFrame(marker)) {
      if (body.length < 6) return undefined
      const frame = new DataView(body.buffer, body.byteOffset, body.byteLength)
      return {
        precision: body[0]!,
        height: frame.getUint16(1),
        width: frame.getUint16(3),
        components: body[5]!,
        frame: marker,
        isAdobe,
        orientation,
      }
    }
    at = end
  }
  return undefined
}

/** All SOFn but DHT (C4), JPG (C8) and DAC (CC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Tag 0x0112 in the first directory of the TIFF structure behind `Exif\0\0`. */
function readOrientation(body: Uint8Array): number {
  if (!startsWith(body, 'Exif\0\0') || body.length < 14) return 1
  const tiff = new DataView(body.buffer, body.byteOffset + 6, body.byteLength - 6)
  const isLittle = tiff.getUint16(0) === 0x4949
  const directory = tiff.getUint32(4, isLittle)
  if (directory + 2 > tiff.byteLength) return 1
  const entries = tiff.getUint16(directory, isLittle)
  for (let i = 0; i < entries; i++) {
    const entry = directory + 2 + 12 * i
    if (entry + 12 > tiff.byteLength) return 1
    if (tiff.getUint16(entry, isLittle) !== 0x0112) continue
    const value = tiff.getUint16(entry + 8, isLittle)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

function startsWith(body: Uint8Array, text: string): boolean {
  return Buffer.from(body.subarray(0, text.length)).toString('latin1') === text
}
