import { type AmbiguousFile, formOf, imageOf, makeSmallPage, streamOf, withImage } from './ambiguous-file.ts'

const SIZE = '/Width 64 /Height 64'
const GREY = `${SIZE} /BitsPerComponent 8 /ColorSpace /DeviceGray`
const BLACK = Buffer.alloc(4096)
/** The left half clear, the right half opaque. */
const HALVES = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i % 64 < 32 ? 0 : 255)))
const RAMP = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i % 64) * 4))
/** Four pixels black, four white. */
const STRIPES = Buffer.alloc(512, 0x0f)

/** An image over the middle of the page; its masks have numbers from 7 on. */
const masked = (mask: string, more: string[] = []): Buffer => withImage(`${GREY} /SMask 7 0 R`, BLACK, [mask, ...more])

const unlike = (title: string, why: string, bytes: Buffer): AmbiguousFile => ({
  title: `${title} is not copied`,
  why,
  bytes,
  outcome: 'unlike',
})

const INK = '[/Separation /X /DeviceGray << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>]'
const CURVE = '[/CalGray << /WhitePoint [0.9505 1 1.089] /Gamma 2.2 >>]'

const TILE = streamOf(
  '1 0 0 rg 0 0 5 5 re f',
  '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >>',
)
const GRADIENT =
  '<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceGray /Coords [20 0 180 0] ' +
  '/Function << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [.8] /N 1 >> >> >>'

const paintedWith = (pattern: string, draw: string): Buffer =>
  makeSmallPage({
    content: `/Pattern cs /P scn q 160 0 0 160 20 20 cm ${draw} Q`,
    resources: '/XObject << /Im 6 0 R >> /Pattern << /P 7 0 R >>',
    more: [imageOf(`${SIZE} /ImageMask true`, STRIPES), pattern],
  })

/** Images with masks that fit them in some readers alone, and stencils that are not sure to be any. */
export const AMBIGUOUS_MASKS: readonly AmbiguousFile[] = [
  unlike(
    'An image of one bit without some of its colours',
    'PDFium leaves out none of several components: black in the sealed file, nothing before the reviewer (8.9.6.4).',
    withImage(`${SIZE} /BitsPerComponent 1 /ColorSpace /DeviceRGB /Mask [0 1 0 1 0 1]`, Buffer.alloc(1536, 0x1b)),
  ),
  ...[
    ['an ink', INK],
    ['a curve', CURVE],
  ].map(([kind, space]): AmbiguousFile => ({
    title: `A mask of opacity in ${kind!} is as opaque as its bytes say`,
    why: 'The reviewer’s reader takes the bytes, others calculate with the space or pass over the mask (11.6.5.2).',
    bytes: masked(imageOf(`${SIZE} /BitsPerComponent 8 /ColorSpace ${space!}`, RAMP)),
  })),
  {
    title: 'A mask of opacity has none of its own',
    why: 'Ghostscript alone heeds it (table 144).',
    bytes: masked(imageOf(`${GREY} /SMask 8 0 R`, RAMP), [imageOf(GREY, HALVES)]),
  },
  {
    title: 'An image with a mask of opacity has no other',
    why: 'Ghostscript heeds both (8.9.5.1).',
    bytes: withImage(`${GREY} /SMask 7 0 R /Mask 8 0 R`, BLACK, [
      imageOf(GREY, RAMP),
      imageOf(`${SIZE} /ImageMask true`, STRIPES),
    ]),
  },
  ...['', '/ColorSpace /DeviceGray'].map((space): AmbiguousFile => ({
    title: `A stencil of eight bits ${space === '' ? '' : 'in grey '}has one`,
    why: 'Poppler shows nothing of it (table 87).',
    bytes: withImage(`${SIZE} /ImageMask true /BitsPerComponent 8 ${space}`, STRIPES),
  })),
  unlike(
    'An image that says with a number that it is a stencil',
    'Some readers take it for one (table 87).',
    withImage(`${SIZE} /ImageMask 1 /BitsPerComponent 1 /ColorSpace /DeviceGray`, STRIPES),
  ),
  unlike(
    'An image without a depth',
    'Ghostscript alone shows it (table 87).',
    withImage(`${SIZE} /ColorSpace /DeviceGray`, RAMP),
  ),
  ...[
    ['without a depth', imageOf(`${SIZE} /ColorSpace /DeviceGray`, RAMP)],
    ['without a size', imageOf('/BitsPerComponent 8 /ColorSpace /DeviceGray', RAMP)],
    ['of no size', imageOf('/Width -64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceGray', RAMP)],
    ['that is a form', streamOf('0 0 9 9 re f', '/Type /XObject /Subtype /Form /BBox [0 0 64 64] /Resources << >>')],
    ['that does not say what it is', streamOf(HALVES.toString('latin1'), GREY)],
    ['with a range beyond what is opaque', imageOf(`${GREY} /Decode [-1 1]`, HALVES)],
    ['of another size that is mixed with a colour', imageOf(GREY.replaceAll('64', '32') + ' /Matte [0]', RAMP)],
    ['that is mixed with a colour of another space', imageOf(`${GREY} /Matte [0 0 0]`, RAMP)],
    ['that is mixed with no colour', imageOf(`${GREY} /Matte []`, RAMP)],
    ['that is mixed with a name', imageOf(`${GREY} /Matte [/A]`, RAMP)],
  ].map(([what, mask]) =>
    unlike(`A mask of opacity ${what!}`, 'Some readers heed it, others do not (11.6.5.2).', masked(mask!)),
  ),
  unlike(
    'A stencil without a size as a mask',
    'One reader finds a size for it, the next passes over it (8.9.6.3).',
    withImage(`${GREY} /Mask 7 0 R`, BLACK, [imageOf('/ImageMask true', STRIPES)]),
  ),
  ...['[0]', '[]', '[.5 1.5]', '[/A /B]'].map((range) =>
    unlike(
      `An image without the colours ${range}`,
      'Readers pass over it, or over the whole image (8.9.6.4).',
      withImage(`${GREY} /Mask ${range}`, RAMP),
    ),
  ),
  ...[
    ['tiles', TILE, '/Im Do'],
    ['tiles, among operators,', TILE, 'BI /W 8 /H 1 /IM true ID \x0f EI'],
    ['a gradient', GRADIENT, 'BI /W 1 /H 1 /IM true ID \0 EI'],
  ].map(([what, pattern, draw]) =>
    unlike(
      `A stencil that is painted with ${what!}`,
      'The reviewer’s reader paints one of a pixel black, Poppler what lies between tiles (8.9.6.2).',
      paintedWith(pattern!, draw!),
    ),
  ),
  ...[
    ['by one operator', '60000 0 0 60000 -30000 -30000 cm', '/Im Do'],
    ['by several', '40 0 0 40 0 0 cm 40 0 0 40 0 0 cm 40 0 0 40 0 0 cm', '/Im Do'],
  ].map(([how, enlarge, draw]) =>
    unlike(
      `An image that is made larger than any page ${how!}`,
      'Poppler draws nothing of it (8.9.5).',
      makeSmallPage({
        content: `q ${enlarge!} ${draw!} Q`,
        resources: '/XObject << /Im 6 0 R >>',
        more: [imageOf(GREY, BLACK)],
      }),
    ),
  ),
  unlike(
    'An image in a form that is made larger than any page',
    'Poppler draws nothing of it (8.9.5).',
    makeSmallPage({
      content: 'q 60000 0 0 60000 -30000 -30000 cm /Fm Do Q /Fm Do',
      resources: '/XObject << /Fm 7 0 R >>',
      more: [imageOf(GREY, BLACK), formOf('/Im Do', '', '/Resources << /XObject << /Im 6 0 R >> >>')],
    }),
  ),
]
