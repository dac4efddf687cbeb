import { AMBIGUOUS_BILEVEL } from './ambiguous-bilevel.ts'
import { AMBIGUOUS_CODE_MAPS } from './ambiguous-code-maps.ts'
import { AMBIGUOUS_COLOURS } from './ambiguous-colours.ts'
import { AMBIGUOUS_DRAWN_LETTERS } from './ambiguous-drawn-letters.ts'
import {
  type AmbiguousFile,
  formOf,
  imageOf,
  makeSmallPage,
  makeUnlikePdf,
  say,
  SQUARE,
  withImage,
} from './ambiguous-file.ts'
import { AMBIGUOUS_FONTS } from './ambiguous-fonts.ts'
import { AMBIGUOUS_GRADIENTS } from './ambiguous-gradients.ts'
import { AMBIGUOUS_IMAGES } from './ambiguous-images.ts'
import { AMBIGUOUS_INLINE_IMAGES } from './ambiguous-inline-images.ts'
import { AMBIGUOUS_JPEGS } from './ambiguous-jpegs.ts'
import { AMBIGUOUS_LETTERS } from './ambiguous-letters.ts'
import { AMBIGUOUS_MASKS } from './ambiguous-masks.ts'
import { AMBIGUOUS_PACKED } from './ambiguous-packed.ts'
import { AMBIGUOUS_PAINT } from './ambiguous-paint.ts'
import { AMBIGUOUS_PROGRAMS } from './ambiguous-programs.ts'
import { addProfileToJpeg, makeProfile, SWAPPED } from './colour-profile.ts'
import { segment } from './jpeg-segments.ts'
import { makeSampledJpeg } from './sampled-jpeg.ts'
import { adobeSegment, makeSmallJpeg } from './small-jpeg.ts'
import { COLOUR_JPX } from './small-jpx.ts'

/** A page that browsers draw in ways of their own: they decode images, set fonts and mix colours by themselves. */
export interface BrowserPage {
  title: string
  bytes: Buffer
}

/** A picture that is to be turned on its side. */
const SIDEWAYS = segment(0xe1, [
  ...Buffer.from('Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0', 'latin1'),
])

/** Said behind the frame, where the reviewer's reader does not look for it, and browsers do. */
function turn(jpeg: Buffer): Buffer {
  const scan = jpeg.indexOf('\xff\xda', 0, 'latin1')
  return Buffer.concat([jpeg.subarray(0, scan), Buffer.from(SIDEWAYS), jpeg.subarray(scan)])
}

const JPEG = '/Width 64 /Height 64 /BitsPerComponent 8 /Filter /DCTDecode'
const withJpeg = (space: string, data: Buffer, entries = '', more: string[] = []): Buffer =>
  withImage(`${JPEG} /ColorSpace /${space} ${entries}`, data, more)

const JPEGS: readonly BrowserPage[] = [
  { title: 'in grey', bytes: withJpeg('DeviceGray', makeSmallJpeg(1)) },
  { title: 'in colours', bytes: withJpeg('DeviceRGB', makeSmallJpeg(3)) },
  { title: 'in colours that are not mixed', bytes: withJpeg('DeviceRGB', makeSmallJpeg(3, { head: adobeSegment(0) })) },
  { title: 'in four inks', bytes: withJpeg('DeviceCMYK', makeSmallJpeg(4)) },
  { title: 'in four inks of Adobe', bytes: withJpeg('DeviceCMYK', makeSmallJpeg(4, { head: adobeSegment(0) })) },
  {
    title: 'in four inks of Adobe, the other way round',
    bytes: withJpeg('DeviceCMYK', makeSmallJpeg(4, { head: adobeSegment(2) }), '/Decode [1 0 1 0 1 0 1 0]'),
  },
  { title: 'the other way round', bytes: withJpeg('DeviceRGB', makeSmallJpeg(3), '/Decode [1 0 1 0 1 0]') },
  {
    title: 'with a profile that calls red blue',
    bytes: withJpeg(
      'DeviceRGB',
      addProfileToJpeg(makeSmallJpeg(3, { head: adobeSegment(0) }), makeProfile({ tags: SWAPPED })),
    ),
  },
  { title: 'of a camera held on its side', bytes: withJpeg('DeviceRGB', turn(makeSmallJpeg(3))) },
  {
    title: 'with a mask that is one',
    bytes: withJpeg('DeviceRGB', makeSmallJpeg(3), '/SMask 7 0 R', [
      imageOf(`${JPEG} /ColorSpace /DeviceGray`, turn(makeSmallJpeg(1))),
    ]),
  },
  {
    title: 'with fewer reds and blues than pixels',
    bytes: withImage(
      '/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /DCTDecode',
      makeSampledJpeg([
        [2, 2],
        [1, 1],
        [1, 1],
      ]),
    ),
  },
].map(({ title, bytes }) => ({ title: `A JPEG ${title}`, bytes }))

const OTHERS: readonly BrowserPage[] = [
  {
    title: 'A JPEG 2000 image in colours',
    bytes: withImage('/Width 32 /Height 32 /ColorSpace /DeviceRGB /Filter /JPXDecode', COLOUR_JPX),
  },
  ...['Multiply', 'Difference', 'Luminosity'].map((mode) => ({
    title: `Letters that blend by ${mode}`,
    bytes: makeSmallPage({
      content: `.2 .5 .8 rg 0 60 200 100 re f /Mode gs 1 .8 .2 rg ${say('SIGNED')}`,
      resources: `/ExtGState << /Mode << /BM /${mode} >> >>`,
    }),
  })),
  {
    title: 'A field that is filled in and has no picture',
    bytes: makeSmallPage({
      content: '',
      page: '/Annots [6 0 R]',
      catalog:
        '/AcroForm << /NeedAppearances true /Fields [6 0 R] /DA (/F1 20 Tf 0 g) /DR << /Font << /F1 5 0 R >> >> >>',
      more: ['<< /Type /Annot /Subtype /Widget /F 4 /FT /Tx /T (a) /V (FILLED IN) /Rect [20 80 180 120] >>'],
    }),
  },
  {
    title: 'A stamp over words',
    bytes: makeSmallPage({
      content: say('PAID'),
      page: '/Annots [6 0 R]',
      more: [
        '<< /Type /Annot /Subtype /Stamp /F 4 /Rect [20 20 180 80] /AP << /N 7 0 R >> >>',
        formOf(`1 0 0 rg ${say('VOID')}`),
      ],
    }),
  },
  { title: 'Words that go on behind a line, kept as a picture', bytes: makeUnlikePdf() },
  { title: 'Words beside a square', bytes: makeSmallPage({ content: `${SQUARE} ${say('APPROVED', 170)}` }) },
]

/** Of one kind of images, and of one kind of anything else. */
const [MOST_IMAGES, MOST_OTHERS] = [10, 2]
const listTaken = (files: readonly AmbiguousFile[]): AmbiguousFile[] =>
  files.filter(({ outcome }) => outcome !== 'unlike')

/** All kinds of images, and some of everything else that browsers draw otherwise than programs do. */
export const BROWSER_PAGES: readonly BrowserPage[] = [
  ...JPEGS,
  ...OTHERS,
  ...[
    AMBIGUOUS_JPEGS,
    AMBIGUOUS_IMAGES,
    AMBIGUOUS_MASKS,
    AMBIGUOUS_PACKED,
    AMBIGUOUS_BILEVEL,
    AMBIGUOUS_INLINE_IMAGES,
  ].flatMap((files) => listTaken(files).slice(0, MOST_IMAGES)),
  ...[
    AMBIGUOUS_FONTS,
    AMBIGUOUS_PROGRAMS,
    AMBIGUOUS_CODE_MAPS,
    AMBIGUOUS_LETTERS,
    AMBIGUOUS_DRAWN_LETTERS,
    AMBIGUOUS_PAINT,
    AMBIGUOUS_GRADIENTS,
    AMBIGUOUS_COLOURS,
  ].flatMap((files) => listTaken(files).slice(0, MOST_OTHERS)),
]
