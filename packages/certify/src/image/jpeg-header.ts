import { readOrientation } from './exif-orientation.ts'

/** What a PDF needs to know to show a JPEG as it is (ITU-T T.81 annex B, Exif 2.32, Adobe technical note 5116). */
export interface JpegHeader {
  width: number
  height: number
  /** 1 grey, 3 colour, 4 ink. */
  components: number
  /** Horizontal and vertical sampling factor of each component. */
  sampling: [across: number, down: number][]
  /** Bits per component. */
  precision: number
  /** Second byte of the frame marker: 0xC0 baseline, 0xC1 extended, 0xC2 progressive. */
  frame: number
  /** An Adobe marker is there: four-component files are then written inverted. */
  isAdobe: boolean
  /** Exif orientation, 1 to 8; 1 when none is given. */
  orientation: number
  /** The pieces of a colour profile, in the order of the file, each with its number and how many there are before it. */
  profileChunks: Uint8Array[]
}

const EXIF = 'Exif\0\0'
/** Annex B.4 of the ICC specification (ISO 15076-1). */
const ICC = 'ICC_PROFILE\0'

/** Reads the header as far as the first scan. @returns undefined when there is no frame. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marks = { isAdobe: false, orientation: 1, profileChunks: [] as Uint8Array[] }
  let frame: Frame | undefined
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) break
    const marker = bytes[at + 1]!
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (marker === 0xda || marker === 0xd9) break
    const length = view.getUint16(at + 2)
    const end = at + 2 + length
    if (length < 2 || end > bytes.length) break
    const body = bytes.subarray(at + 4, end)
    if (marker === 0xe1 && marks.orientation === 1 && startsWith(body, EXIF)) {
      marks.orientation = readOrientation(body.subarray(EXIF.length))
    }
    if (marker === 0xe2 && startsWith(body, ICC)) marks.profileChunks.push(body.subarray(ICC.length))
    if (marker === 0xee && startsWith(body, 'Adobe')) marks.isAdobe = true
    if (isFrame(marker)) frame ??= readFrame(marker, body)
    at = end
  }
  return frame && { ...frame, ...marks }
}

type Frame = Pick<JpegHeader, 'width' | 'height' | 'components' | 'sampling' | 'precision' | 'frame'>

/** All SOFn but DHT (C4), JPG (C8) and DAC (CC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function readFrame(marker: number, body: Uint8Array): Frame | undefined {
  if (body.length < 6) return undefined
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const components = body[5]!
  const sampling = Array.from({ length: components }, (_, i): [number, number] => {
    const factors = body[7 + 3 * i] ?? 0
    return [factors >> 4, factors & 15]
  })
  return {
    precision: body[0]!,
    height: view.getUint16(1),
    width: view.getUint16(3),
    components,
    sampling,
    frame: marker,
  }
}

function startsWith(body: Uint8Array, text: string): boolean {
  return Buffer.from(body.subarray(0, text.length)).toString('latin1') === text
}
