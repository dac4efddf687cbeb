import { deflateSync } from 'node:zlib'
import { writeRawPdf } from '@proofdesk/certify/testing'

/** A point within the picture of these documents, as shares of the page. */
export const CONTENT_AREA = { x: 0.5, y: 0.5 }

const byte = (value: number) => String.fromCharCode(value & 0xff)
const word = (value: number) => byte(value >> 8) + byte(value)
const long = (value: number) => word(value >>> 16) + word(value)

/** Sixteen pixels square, in JPEG 2000: one empty packet, so every pixel is the middle grey (ITU-T T.800, annexes A and B). */
export function makeJpeg2000Pdf(): Buffer {
  const side = 16
  const size = word(0) + [side, side, 0, 0, side, side, 0, 0].map(long).join('') + word(1) + byte(7) + byte(1) + byte(1)
  const coding = byte(0) + byte(0) + word(1) + byte(0) + byte(0) + byte(4) + byte(4) + byte(0) + byte(1)
  const quantisation = byte(0x40) + byte(0x40)
  const segment = (marker: number, body: string) => word(marker) + word(body.length + 2) + body
  const packet = byte(0)
  const tile = segment(0xff90, word(0) + long(12 + 2 + packet.length) + byte(0) + byte(1)) + word(0xff93) + packet
  const picture =
    word(0xff4f) + segment(0xff51, size) + segment(0xff52, coding) + segment(0xff5c, quantisation) + tile + word(0xffd9)
  return makePicturePdf(
    `/Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /JPXDecode`,
    picture,
  )
}

/** Eight pixels wide and four high, all black, in Group 4 fax coding (ITU-T T.6). */
export function makeFaxPdf(): Buffer {
  return makePicturePdf(
    '/Width 8 /Height 4 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 8 /Rows 4 >>',
    codeBlackRows(),
  )
}

/**
 * The same picture in JBIG2 (ITU-T T.88, sections 7.4.6 and 7.4.8): a page that is black of itself, and on it one region, which
 * is or-ed to it, so that it is black whatever its codes come to.
 */
export function makeJbig2Pdf(): Buffer {
  const size = long(8) + long(4)
  const segment = (number: number, kind: number, body: string) =>
    long(number) + byte(kind) + byte(0) + byte(1) + long(body.length) + body
  const page = segment(0, 48, size + long(0) + long(0) + byte(4) + word(0))
  const codes = '\x03\xff\xfd\xff\x02\xfe\xfe\xfe\x9a\x3c\x51\x77\xff\xac'
  const region = segment(1, 38, size + long(0) + long(0) + byte(0) + byte(0) + codes)
  return makePicturePdf(
    '/Width 8 /Height 4 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode',
    page + region,
  )
}

/** One black picture of so many pixels on a side, packed. */
export function makeLargePicturePdf(side: number): Buffer {
  const rows = deflateSync(Buffer.alloc(Math.ceil(side / 8) * side)).toString('latin1')
  return makePicturePdf(
    `/Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode`,
    rows,
  )
}

/** Eight black pixels, four times. */
function codeBlackRows(): string {
  // A horizontal run of no white and eight black; three rows like the one before; end of the block.
  const bits = ['001', '00110101', '000101', '11'.repeat(3), '000000000001'.repeat(2)].join('')
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? []
  return bytes.map((eight) => byte(Number.parseInt(eight, 2))).join('')
}

function makePicturePdf(dictionary: string, picture: string): Buffer {
  const content = 'q 400 0 0 400 100 220 cm /Im Do Q'
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /Im 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Type /XObject /Subtype /Image ${dictionary} /Length ${picture.length} >>\nstream\n${picture}\nendstream`,
  ])
}
