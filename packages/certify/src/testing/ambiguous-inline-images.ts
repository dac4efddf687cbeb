import { deflateSync } from 'node:zlib'
import { type AmbiguousFile, makeSmallPage } from './ambiguous-file.ts'
import { makeSmallJpeg } from './small-jpeg.ts'

const SIZE = '/W 64 /H 64'
const GREY = `${SIZE} /BPC 8 /CS /G`
const RAMP = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i % 64) * 4))
const STRIPES = Buffer.alloc(512, 0xf0)
const PROFILE = [0xff, 0xe2, 0, 18, ...Buffer.from('ICC_PROFILE\0'), 1, 1, 0, 0]

const inline = (entries: string, data: Buffer | string, resources = ''): Buffer =>
  makeSmallPage({
    content: `q 160 0 0 160 20 20 cm BI ${entries} ID ${typeof data === 'string' ? data : data.toString('latin1')} EI Q`,
    resources,
  })

const taken = (title: string, bytes: Buffer): AmbiguousFile => ({
  title: `An image among operators ${title} is shown`,
  why: 'Programs write them so (8.9.7).',
  bytes,
})

const unlike = (title: string, bytes: Buffer): AmbiguousFile => ({
  title: `An image among operators ${title} is not copied`,
  why: 'It stays as it is, and readers draw it in different ways (8.9.7).',
  bytes,
  outcome: 'unlike',
})

/** Images among operators, which say of themselves what their data are not, or what only some readers heed. */
export const AMBIGUOUS_INLINE_IMAGES: readonly AmbiguousFile[] = [
  taken('with short names', inline(GREY, RAMP)),
  taken('with full names', inline('/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceGray', RAMP)),
  taken('that is a stencil in reverse', inline(`${SIZE} /IM true /BPC 1 /D [1 0]`, STRIPES)),
  taken('with a palette', inline(`${SIZE} /BPC 1 /CS [/I /RGB 1 <FF00000000FF>]`, STRIPES)),
  taken(
    'with a palette of fewer colours than it could have',
    inline(`${SIZE} /BPC 8 /CS [/I /RGB 1 (\\377\\000\\000\\000\\000\\377)]`, Buffer.alloc(4096, 1)),
  ),
  taken(
    'in a space of the resources',
    inline(`${SIZE} /BPC 1 /CS /C`, STRIPES, '/ColorSpace << /C [/Indexed /DeviceRGB 1 <FF00000000FF>] >>'),
  ),
  taken('that is packed', inline(`${GREY} /F /Fl`, deflateSync(RAMP))),
  taken('that is a JPEG', inline(`${GREY} /F /DCT`, makeSmallJpeg(1))),
  ...[
    ['with two ranges', `${SIZE} /IM true /D [1 0] /Decode [0 1]`, STRIPES],
    ['that is a stencil with a range between', `${SIZE} /IM true /D [.5 .2]`, STRIPES],
    ['that is a stencil of eight bits', `${SIZE} /IM true /BPC 8`, STRIPES],
    ['that is a stencil in colours', `${SIZE} /IM true /CS /RGB`, STRIPES],
    ['that says with a number that it is a stencil', `${SIZE} /IM 1 /BPC 1 /CS /G`, STRIPES],
    ['with more data than pixels', GREY, Buffer.concat([RAMP, RAMP])],
    ['with half a range', `${GREY} /D [1]`, RAMP],
    ['of one bit with an odd range', `${SIZE} /BPC 1 /CS /G /D [0 .5]`, STRIPES],
    ['with places beyond its palette', `${SIZE} /BPC 8 /CS [/I /RGB 1 <FF00000000FF>]`, RAMP],
    ['with fewer colours than its palette says', `${SIZE} /BPC 8 /CS [/I /RGB 255 <FF00000000FF>]`, RAMP],
    [
      'with a palette and a range of its own',
      `${SIZE} /BPC 8 /CS [/I /RGB 1 <FF00000000FF>] /D [0 1]`,
      Buffer.alloc(4096, 1),
    ],
    ['in colours that are nowhere', `${SIZE} /BPC 8 /CS /Nowhere`, RAMP],
    ['in patterns', `${SIZE} /BPC 8 /CS /Pattern`, RAMP],
    ['without colours', `${SIZE} /BPC 1`, STRIPES],
    ['in a curve', `${SIZE} /BPC 8 /CS [/CalGray << /WhitePoint [0.9505 1 1.089] /Gamma 9 >>]`, RAMP],
    ['of five bits', `${SIZE} /BPC 5 /CS /G`, RAMP],
    ['with a value too many', `${GREY} 5`, RAMP],
    ['that refers to an object', `${SIZE} /BPC 8 /CS 5 0 R`, RAMP],
    ['with a comment', `${GREY} %x\n/I true`, RAMP],
    ['that is packed in nothing', `${GREY} /F null`, RAMP],
    ['that is packed, and too short', `${GREY} /F /Fl`, deflateSync(RAMP.subarray(0, 2500))],
    ['in digits without an end', `${GREY} /F /AHx`, RAMP.toString('hex')],
    ['in runs without an end', `${GREY} /F /RL`, Buffer.concat(Array.from({ length: 32 }, () => Buffer.of(129, 7)))],
    ['in a compression for images alone', `${SIZE} /BPC 1 /CS /G /F /JBIG2Decode`, STRIPES],
    ['that is a JPEG of another size', `/W 32 /H 32 /BPC 8 /CS /G /F /DCT`, makeSmallJpeg(1)],
    ['that is a JPEG of other colours', `${SIZE} /BPC 8 /CS /RGB /F /DCT`, makeSmallJpeg(1)],
    ['that is a JPEG with a profile', `${GREY} /F /DCT`, makeSmallJpeg(1, { head: PROFILE })],
    [
      'that is a fax with rows of another length',
      `${SIZE} /IM true /F /CCF /DP << /K -1 /Columns 32 >>`,
      Buffer.of(0, 0x10, 0x01),
    ],
  ].map(([title, entries, data]) => unlike(title as string, inline(entries as string, data as Buffer | string))),
  unlike(
    'that ends where it begins',
    makeSmallPage({ content: `q 160 0 0 160 20 20 cm BI ${GREY} ID%x\n${RAMP.toString('latin1')} EI Q` }),
  ),
  unlike(
    'called as a palette in the resources',
    inline(`${SIZE} /BPC 1 /CS /I`, STRIPES, '/ColorSpace << /I [/Indexed /DeviceRGB 1 <FF00000000FF>] >>'),
  ),
]
