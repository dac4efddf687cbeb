/** What a JPEG of three components says of its colours, apart from its data (ITU-T T.871, Adobe technical note 5116). */
interface ColourMarks {
  /** Places of segments that say it: `JFIF` and `Adobe`. */
  segments: [begin: number, end: number][]
  hasJfif: boolean
  /** Of the last Adobe marker: 0 for red, green and blue, else luminance and two differences. */
  transform: number | undefined
  /** The components are called R, G and B. */
  isNamedRgb: boolean
  components: number
}

const RGB = 'RGB'

/**
 * Makes a JPEG of three components say only once what its colours are, where readers would believe different marks of it. What the
 * reviewer's reader takes counts: an Adobe marker, then what the PDF says, then the names of the components.
 * @param transform What a PDF says of it, `/ColorTransform`.
 * @returns the same bytes where all readers come to the same.
 */
export function settleJpegColours(bytes: Uint8Array, transform?: number): Uint8Array {
  const marks = readMarks(bytes)
  if (marks === undefined || marks.components !== 3) return bytes
  const said = transform === 0 || marks.isNamedRgb ? 0 : 1
  const reviewed = Math.min(marks.transform ?? said, 1)
  // most decoders believe JFIF first, then Adobe, then the names
  const usual = marks.hasJfif ? 1 : Math.min(marks.transform ?? (marks.isNamedRgb ? 0 : 1), 1)
  if (reviewed === usual && transform === undefined && (marks.transform ?? reviewed) <= 1 && agrees(marks, reviewed))
    return bytes
  const parts: Uint8Array[] = [bytes.subarray(0, 2), writeAdobe(reviewed)]
  let at = 2
  for (const [begin, end] of marks.segments) {
    parts.push(bytes.subarray(at, begin))
    at = end
  }
  return Buffer.concat([...parts, bytes.subarray(at)])
}

/** Names that contradict a marker are believed by some. */
function agrees({ isNamedRgb, transform, hasJfif }: ColourMarks, reviewed: number): boolean {
  return !isNamedRgb || (reviewed === 0 && (transform === 0 || !hasJfif))
}

function writeAdobe(transform: number): Buffer {
  return Buffer.concat([Buffer.from('\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00', 'latin1'), Buffer.of(transform)])
}

/** As far as the first scan. Undefined where it has no frame or is not made of segments. */
function readMarks(bytes: Uint8Array): ColourMarks | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marks: ColourMarks = { segments: [], hasJfif: false, transform: undefined, isNamedRgb: false, components: 0 }
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1]!
    if (bytes[at] !== 0xff || marker === 0xd9) return undefined
    // fill bytes and marks without a body
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    if (marker === 0xda) return marks.components > 0 ? marks : undefined
    const end = at + 2 + view.getUint16(at + 2)
    const body = bytes.subarray(at + 4, end)
    if (end < at + 4 || end > bytes.length) return undefined
    const isJfif = marker === 0xe0 && latin(body, 5) === 'JFIF\0'
    const isAdobe = marker === 0xee && latin(body, 5) === 'Adobe' && body.length >= 12
    if (isJfif || isAdobe) marks.segments.push([at, end])
    if (isJfif) marks.hasJfif = true
    if (isAdobe) marks.transform = body[11]!
    if (marker >= 0xc0 && marker <= 0xc2) {
      marks.components = body[5] ?? 0
      marks.isNamedRgb = [6, 9, 12].map((i) => String.fromCharCode(body[i] ?? 0)).join('') === RGB
    }
    at = end
  }
  return undefined
}

const latin = (bytes: Uint8Array, length: number): string => Buffer.from(bytes.subarray(0, length)).toString('latin1')
