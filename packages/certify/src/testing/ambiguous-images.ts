import { deflateSync } from 'node:zlib'
import { FAX } from './small-fax.ts'
import { COLOUR_JPX, GREY_JPX } from './small-jpx.ts'
import { type AmbiguousFile, imageOf, withImage } from './ambiguous-file.ts'

const SIZE = '/Width 64 /Height 64'
const GREY = `${SIZE} /BitsPerComponent 8 /ColorSpace /DeviceGray`
const STENCIL = `${SIZE} /ImageMask true`
/** The upper half white, the lower black. */
const HALVES = Buffer.concat([Buffer.alloc(2048, 0xff), Buffer.alloc(2048)])
const STRIPES = Buffer.alloc(512, 0xf0)
const RAMP = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i % 64) * 4))

/** Blocks of 32,768 bytes as they are, and one of a kind that there is not (RFC 1951 section 3.2.3). */
const FAULTY = Buffer.concat([
  Buffer.of(0x78, 1),
  ...Array.from({ length: 5 }, () => Buffer.concat([Buffer.of(0, 0, 0x80, 0xff, 0x7f), Buffer.alloc(32_768, 0x90)])),
  Buffer.alloc(300, 7),
])

/** Rows with the predictor in front of each, as PNG has them. */
const rows = (types: (row: number) => number, spare = ''): Buffer =>
  deflateSync(
    Buffer.concat([
      ...Array.from({ length: 64 }, (_, row) => Buffer.concat([Buffer.of(types(row)), Buffer.alloc(64, row * 3)])),
      Buffer.from(spare),
    ]),
  )

/** The number by which the image names its own space of colours. */
function swapSpace(jpx: Buffer, space: number): Buffer {
  const swapped = Buffer.from(jpx)
  swapped.writeUInt32BE(space, swapped.indexOf('colr', 0, 'latin1') + 7)
  return swapped
}

const WHITE = '/WhitePoint [0.9505 1 1.089]'

const unlike = (title: string, why: string, bytes: Buffer): AmbiguousFile => ({
  title: `${title} is not copied`,
  why,
  bytes,
  outcome: 'unlike',
})

const withFax = (columns: string, entries: string): Buffer =>
  withImage(
    `/Width 160 /Height 160 /Filter /CCITTFaxDecode /DecodeParms << /K -1 ${columns} /Rows 160 >> ${entries}`,
    FAX,
  )

const JPX = '/Width 32 /Height 32 /Filter /JPXDecode'

/** Images whose entries and data do not fit, or that ask for what not all readers do. */
export const AMBIGUOUS_IMAGES: readonly AmbiguousFile[] = [
  ...[
    ['of grey', GREY, 2048],
    ['of one bit', `${SIZE} /BitsPerComponent 1 /ColorSpace /DeviceGray`, 256],
    ['of four inks', `${SIZE} /BitsPerComponent 8 /ColorSpace /DeviceCMYK`, 8192],
  ].map(([kind, entries, bytes]): AmbiguousFile => ({
    title: `An image ${kind as string} without half of its data is black where they are missing`,
    why: 'Readers show black, white or nothing of it (8.9.5.1).',
    bytes: withImage(entries as string, Buffer.alloc(bytes as number, 0x90)),
  })),
  {
    title: 'An image with a fault within its packed data is black behind the fault',
    why: 'Readers show all before the fault, a part of it, or nothing (7.4.4).',
    bytes: withImage('/Width 512 /Height 512 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode', FAULTY),
  },
  {
    title: 'A stencil without half of its data paints what is there',
    why: 'The reviewer’s reader alone paints all that is missing (8.9.6.2).',
    bytes: withImage(STENCIL, STRIPES.subarray(0, 256)),
    isChanged: true,
  },
  {
    title: 'An image that names no colours is grey',
    why: 'Some readers show it so, some show nothing (8.9.5.1).',
    bytes: withImage(`${SIZE} /BitsPerComponent 8`, RAMP),
    isChanged: true,
  },
  ...['[1]', '[1 1]', '[0.7 0.2]'].map((range): AmbiguousFile => ({
    title: `A stencil with the range ${range} is one that is reversed`,
    why: 'Only [0 1] and [1 0] are allowed (8.9.6.2).',
    bytes: withImage(`${STENCIL} /Decode ${range}`, STRIPES),
  })),
  {
    title: 'An image with a range of too few numbers has none',
    why: 'Readers make up the missing numbers (8.9.5.2).',
    bytes: withImage(
      `${SIZE} /BitsPerComponent 8 /ColorSpace /DeviceRGB /Decode [1 0]`,
      HALVES.toString('latin1').repeat(3),
    ),
  },
  {
    title: 'A palette of two colours that is used in reverse is turned',
    why: 'Readers calculate with its range in their own ways (8.9.5.2).',
    bytes: withImage(
      `${SIZE} /BitsPerComponent 1 /ColorSpace [/Indexed /DeviceRGB 1 <FFFFFF000000>] /Decode [1 0]`,
      STRIPES,
    ),
  },
  {
    title: 'A palette with fewer colours than it says has black in their places',
    why: 'Readers show black, the last colour or nothing (8.6.6.3).',
    bytes: withImage(
      `${SIZE} /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 3 <FFFF00FF0000>]`,
      Buffer.alloc(4096, 3),
    ),
    isChanged: true,
  },
  ...['CalGray', 'CalRGB'].map((space): AmbiguousFile => ({
    title: `An image in a space ${space} with a curve of no device is shown without the curve`,
    why: 'Some readers calculate with it, some take the values of the device (8.6.5).',
    bytes: withImage(
      `${SIZE} /BitsPerComponent 8 /ColorSpace [/${space} << ${WHITE} /Gamma ${space === 'CalGray' ? '30' : '[30 30 30]'} >>]`,
      space === 'CalGray' ? RAMP : RAMP.toString('latin1').repeat(3),
    ),
    isChanged: true,
  })),
  {
    title: 'A stencil with a mask of opacity is a stencil',
    why: 'Some readers mask it, others do not (8.9.6.2).',
    bytes: withImage(`${STENCIL} /SMask 7 0 R`, STRIPES, [imageOf(GREY, HALVES)]),
    isChanged: true,
  },
  {
    title: 'An image whose rows are packed with another length than its own is shown',
    why: 'Where rows of the predictor end, readers look at one or the other (7.4.4.4).',
    bytes: withImage(
      `${GREY} /Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns 32 >>`,
      deflateSync(Buffer.alloc(4096, 3)),
    ),
    isChanged: true,
  },
  {
    title: 'An image whose rows are packed in all ways of PNG is shown',
    why: 'That is how programs pack them (7.4.4.4).',
    bytes: withImage(
      `${GREY} /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 64 >>`,
      rows((row) => row % 5),
    ),
  },
  unlike(
    'An image with rows of a type that there is not',
    'The reviewer’s reader ends at it (7.4.4.4).',
    withImage(
      `${GREY} /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 64 >>`,
      rows((row) => (row > 32 ? 9 : 0)),
    ),
  ),
  {
    title: 'An image with a spare byte behind its last row is shown',
    why: 'Programs pad their data (7.4.4.4).',
    bytes: withImage(
      `${GREY} /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 64 >>`,
      rows((row) => row % 3, '\n'),
    ),
  },
  unlike(
    'An image with rows of a type that there is not, and much behind them,',
    'The reviewer’s reader ends at the first (7.4.4.4).',
    withImage(
      `${GREY} /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 64 >>`,
      rows(() => 9, '\0'.repeat(2 << 20)),
    ),
  ),
  ...[
    '/Columns -1',
    '/Columns 0',
    '/Columns -65',
    '/Columns .5',
    '/Columns 64 /Colors 0',
    '/Columns 64 /BitsPerComponent 7',
  ].map((entries) =>
    unlike(
      `An image with the rows ${entries}`,
      'There are none (7.4.4.3).',
      withImage(
        `${GREY} /Filter /FlateDecode /DecodeParms << /Predictor 15 ${entries} >>`,
        rows(() => 0),
      ),
    ),
  ),
  unlike(
    'An image of three bits',
    'There are 1, 2, 4, 8 and 16 (8.9.5.1).',
    withImage(`${SIZE} /BitsPerComponent 3 /ColorSpace /DeviceGray`, RAMP),
  ),
  unlike(
    'A palette with a range of its own',
    'Readers calculate with it in their own ways (8.9.5.2).',
    withImage(`${SIZE} /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 1 <FFFFFF000000>] /Decode [1 0]`, HALVES),
  ),
  unlike(
    'A stencil as a mask of opacity',
    'Each reader makes something else of it (11.6.5.2).',
    withImage(`${GREY} /SMask 7 0 R`, Buffer.alloc(4096), [imageOf(STENCIL, STRIPES)]),
  ),
  ...[
    ['four inks', '/BitsPerComponent 8 /ColorSpace /DeviceCMYK /Mask [200 255 200 255 200 255 200 255]', 4],
    ['sixteen bits', '/BitsPerComponent 16 /ColorSpace /DeviceGray /Mask [0 10]', 2],
  ].map(([kind, entries, bytes]) =>
    unlike(
      `An image of ${kind as string} without some of its colours`,
      'PDFium leaves out none (8.9.6.4).',
      withImage(`${SIZE} ${entries as string}`, HALVES.toString('latin1').repeat(bytes as number)),
    ),
  ),
  unlike(
    'An image in colours of Lab without a range',
    'Some readers heed it, some take the usual one (8.6.5.4).',
    withImage(
      `${SIZE} /BitsPerComponent 8 /ColorSpace [/Lab << ${WHITE} /Range [0 0 0 0] >>]`,
      RAMP.toString('latin1').repeat(3),
    ),
  ),
  {
    title: 'A JPEG 2000 image with a palette is shown in the colours of the palette',
    why: 'Without a depth PDFium passes over the palette (7.4.9).',
    bytes: withImage(`${JPX} /ColorSpace [/Indexed /DeviceRGB 1 <00FF00FF00FF>]`, GREY_JPX),
  },
  {
    title: 'A JPEG 2000 image has the size that its data say',
    why: 'Some readers believe the one, some the other (7.4.9).',
    bytes: withImage('/Width 16 /Height 32 /Filter /JPXDecode', COLOUR_JPX),
    isChanged: true,
  },
  ...[
    ['with a range', COLOUR_JPX, '/ColorSpace /DeviceRGB /Decode [1 0 1 0 1 0]'],
    ['with a mask in its data', COLOUR_JPX, '/SMaskInData 1'],
    ['without some of its colours', GREY_JPX, '/ColorSpace /DeviceGray /Mask [0 0]'],
    ['as a stencil', GREY_JPX, '/ImageMask true'],
    ['in other colours than its own', COLOUR_JPX, '/ColorSpace /DeviceCMYK'],
    [
      'in an ink',
      GREY_JPX,
      '/ColorSpace [/Separation /X /DeviceGray << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>]',
    ],
    ['without its end', COLOUR_JPX.subarray(0, -40), ''],
    ['that calls its colours others than they are', swapSpace(COLOUR_JPX, 18), ''],
  ].map(([what, data, entries]) =>
    unlike(
      `A JPEG 2000 image ${what as string}`,
      'One reader heeds what the next passes over (7.4.9).',
      withImage(`${JPX} ${entries as string}`, data as Buffer),
    ),
  ),
  ...['/BitsPerComponent 8 /ColorSpace /DeviceGray', '/ColorSpace /DeviceGray', '/BitsPerComponent 1', ''].map(
    (entries): AmbiguousFile => ({
      title: `A fax with ${entries || 'no depth and no colours'} is black and white`,
      why: 'Readers take the depth and the colours that are said, or those of a fax (7.4.6).',
      bytes: withFax('/Columns 160', entries),
      isChanged: true,
    }),
  ),
  ...[
    ['with rows of another length than it is wide', '/Columns 80', '/BitsPerComponent 1 /ColorSpace /DeviceGray'],
    ['that does not say how long its rows are', '', '/BitsPerComponent 1 /ColorSpace /DeviceGray'],
    ['in red, green and blue', '/Columns 160', '/BitsPerComponent 1 /ColorSpace /DeviceRGB'],
  ].map(([what, columns, entries]) =>
    unlike(`A fax ${what}`, 'Readers find other pixels in it (7.4.6).', withFax(columns!, entries!)),
  ),
]
