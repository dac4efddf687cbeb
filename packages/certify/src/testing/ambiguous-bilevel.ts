import { type AmbiguousFile, imageOf, streamOf, withImage } from './ambiguous-file.ts'
import { FAX } from './small-fax.ts'
import { faxRegionOf, pageOf, regionOf, segmentOf } from './small-jbig2.ts'
import { COLOUR_JPX, GREY_JPX } from './small-jpx.ts'

const SIDE = 160
const BLACK_AND_WHITE = '/BitsPerComponent 1 /ColorSpace /DeviceGray'

const withFax = (parameters: string, data: Buffer = FAX, { height = SIDE, entries = BLACK_AND_WHITE } = {}): Buffer =>
  withImage(`/Width ${SIDE} /Height ${height} ${entries} /Filter /CCITTFaxDecode /DecodeParms ${parameters}`, data)

const withJbig2 = (data: Buffer, parameters = '', more: string[] = []): Buffer =>
  withImage(`/Width ${SIDE} /Height ${SIDE} ${BLACK_AND_WHITE} /Filter /JBIG2Decode ${parameters}`, data, more)

const USUAL = `/K -1 /Columns ${SIDE}`

function flip(data: Buffer, at: number): Buffer {
  const flipped = Buffer.from(data)
  flipped[at]! ^= 0x5a
  return flipped
}

/** Its components count from below zero. */
function sign(jpx: Buffer): Buffer {
  const signed = Buffer.from(jpx)
  const size = signed.indexOf('\xff\x4f\xff\x51', 0, 'latin1')
  for (let i = 0; i < signed.readUInt16BE(size + 40); i++) signed[size + 42 + 3 * i]! |= 0x80
  return signed
}

const opaqueBy = (mask: Buffer): Buffer =>
  withImage('/Width 32 /Height 32 /BitsPerComponent 8 /ColorSpace /DeviceGray /SMask 7 0 R', Buffer.alloc(1024), [
    imageOf('/Width 32 /Height 32 /Filter /JPXDecode', mask),
  ])

const unlike = (title: string, why: string, bytes: Buffer): AmbiguousFile => ({
  title: `${title} is not copied`,
  why,
  bytes,
  outcome: 'unlike',
})

const PAGE = pageOf(SIDE, SIDE)
const REGION = regionOf(SIDE)
const END_OF_PAGE = segmentOf(2, 49, Buffer.alloc(0))

/** Images by codecs whose data say themselves what they are, and are not whole, or others than is said of them. */
export const AMBIGUOUS_BILEVEL: readonly AmbiguousFile[] = [
  ...[
    ['as many rows as it is not high', `<< ${USUAL} /Rows 40 /EndOfBlock false >>`],
    ['marks at the ends of rows, which it cannot have', `<< ${USUAL} /EndOfLine true >>`],
    ['a list of parameters for its one filter', `[<< ${USUAL} >>]`],
  ].map(([what, parameters]): AmbiguousFile => ({
    title: `A fax with ${what!} is shown whole`,
    why: 'Some readers heed it, some pass over it (7.4.6).',
    bytes: withFax(parameters!),
    isChanged: true,
  })),
  ...[
    ['that is cut off', withFax(`<< ${USUAL} >>`, FAX.subarray(0, 60))],
    ['that is cut off, as a stencil', withFax(`<< ${USUAL} >>`, FAX.subarray(0, 60), { entries: '/ImageMask true' })],
    ['with a fault within', withFax(`<< ${USUAL} >>`, flip(FAX, 70))],
    ['with fewer rows than it is high', withFax(`<< ${USUAL} >>`, FAX, { height: 200 })],
    ['with a byte before it', withFax(`<< ${USUAL} >>`, Buffer.concat([Buffer.of(0), FAX]))],
    ['whose rows do not begin with bytes, as it says', withFax(`<< ${USUAL} /EncodedByteAlign true >>`)],
    ['of another group than it says', withFax(`<< /K 0 /Columns ${SIDE} >>`)],
    ['of a group between others', withFax(`<< /K -.5 /Columns ${SIDE} >>`)],
  ].map(([what, bytes]) =>
    unlike(`A fax ${what as string}`, 'Readers show white, black or other rows, or nothing (7.4.6).', bytes as Buffer),
  ),
  {
    title: 'A JBIG2 image of one part is shown',
    why: 'Scanners write them so (7.4.7).',
    bytes: withJbig2(Buffer.concat([PAGE, REGION])),
  },
  ...[
    ['of another size', withJbig2(Buffer.concat([pageOf(80, 80), REGION]))],
    ['higher than is said', withJbig2(Buffer.concat([pageOf(SIDE, 320), REGION]))],
    [
      'with the head of a file',
      withJbig2(Buffer.concat([Buffer.from('974a42320d0a1a0a0100000001', 'hex'), PAGE, REGION])),
    ],
    ['that goes on behind its page', withJbig2(Buffer.concat([PAGE, END_OF_PAGE, REGION]))],
    ['with a part beyond it', withJbig2(Buffer.concat([PAGE, regionOf(SIDE, 0xffff_fff0)]))],
    ['that is cut off', withJbig2(Buffer.concat([PAGE, REGION.subarray(0, 40)]))],
    ['with something behind it', withJbig2(Buffer.concat([PAGE, REGION, Buffer.alloc(30, 0x55)]))],
    ['that is packed as a fax', withJbig2(Buffer.concat([PAGE, faxRegionOf(FAX, SIDE)]))],
    ['without a page', withJbig2(REGION)],
    [
      'that shares its page',
      withJbig2(REGION, '/DecodeParms << /JBIG2Globals 7 0 R >>', [streamOf(PAGE.toString('latin1'))]),
    ],
  ].map(([what, bytes]) =>
    unlike(`A JBIG2 image ${what as string}`, 'Readers show a part of it, or nothing (7.4.7).', bytes as Buffer),
  ),
  unlike(
    'A JPEG 2000 image whose components count from below zero',
    'The reviewer’s reader takes them for others (7.4.9).',
    withImage('/Width 32 /Height 32 /ColorSpace /DeviceRGB /Filter /JPXDecode', sign(COLOUR_JPX)),
  ),
  unlike(
    'A mask of opacity that is a JPEG 2000 image in colours',
    'PDFium takes one of them (table 144).',
    opaqueBy(COLOUR_JPX),
  ),
  {
    title: 'A mask of opacity that is a JPEG 2000 image and names no colours is grey',
    why: 'The reviewer’s reader and Poppler show nothing then (table 144).',
    bytes: opaqueBy(GREY_JPX),
    isChanged: true,
  },
  ...[
    ['A stencil', '/ImageMask true'],
    ['An image', BLACK_AND_WHITE],
  ].map(([what, entries]) =>
    unlike(
      `${what!} of forty thousand pixels in a row`,
      'Browsers draw nothing of it (8.9.5).',
      withImage(`/Width 40000 /Height 1 ${entries!}`, Buffer.alloc(5000, 0xf0)),
    ),
  ),
]
