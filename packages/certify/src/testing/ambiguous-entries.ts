import { makeJpeg } from '../testing.ts'
import { type AmbiguousFile, formOf, makeSmallPage, say, SQUARE, streamOf, withImage } from './ambiguous-file.ts'

const [COLOURED, GREY] = await Promise.all([
  makeJpeg({ width: 64, height: 64 }),
  makeJpeg({ width: 64, height: 64, kind: 'grey' }),
])

const withState = (state: string, more: string[] = []): Buffer =>
  makeSmallPage({ content: `/G1 gs ${SQUARE}`, resources: `/ExtGState << /G1 << ${state} >> >>`, more })

const GREY_PIXELS = '/BitsPerComponent 8 /ColorSpace /DeviceGray'
const JPEG = '/Filter /DCTDecode'
const DRAWN = '/FontBBox [0 0 1000 1000] /FirstChar 65 /LastChar 65 /Widths [1000] /Encoding << /Differences [65 /a] >>'

/** Entries that say what is not so, or say nothing where something must be said. */
export const AMBIGUOUS_ENTRIES: readonly AmbiguousFile[] = [
  {
    title: 'A JPEG that is said to be lower than it is shows all of itself',
    why: 'Some readers take as many rows as they are told, others all (8.9.5.1, 7.4.8).',
    bytes: withImage(`/Width 64 /Height 16 /BitsPerComponent 8 /ColorSpace /DeviceRGB ${JPEG}`, COLOURED),
  },
  {
    title: 'A JPEG that is said to be narrower than it is shows all of itself',
    why: 'Some readers cut its rows into others (8.9.5.1, 7.4.8).',
    bytes: withImage(`/Width 40 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceRGB ${JPEG}`, COLOURED),
  },
  {
    title: 'A grey JPEG that is said to have colours is grey',
    why: 'Some readers take three of its pixels for one (8.9.5.1, 7.4.8).',
    bytes: withImage(`/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceRGB ${JPEG}`, GREY),
    isChanged: true,
  },
  {
    title: 'A JPEG in colours that is said to be grey has its colours',
    why: 'Some readers take one of its pixels for three (8.9.5.1, 7.4.8).',
    bytes: withImage(`/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace /DeviceGray ${JPEG}`, COLOURED),
    isChanged: true,
  },
  {
    title: 'A JPEG in colours with a palette is not copied',
    why: 'Neither can be made true of the other (8.6.6.3, 7.4.8).',
    bytes: withImage(
      `/Width 64 /Height 64 /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 1 <00FF00FF0000>] ${JPEG}`,
      COLOURED,
    ),
    outcome: 'unlike',
  },
  {
    title: 'A JPEG of one bit is a JPEG',
    why: 'It has eight, whatever is said of it (8.9.5.1, 7.4.8).',
    bytes: withImage(`/Width 64 /Height 64 /BitsPerComponent 1 /ColorSpace /DeviceRGB ${JPEG}`, COLOURED),
    isChanged: true,
  },
  {
    title: 'A mask that is no stencil is left out',
    why: 'Some readers take it for one, the reviewer’s passes over it (8.9.6.3).',
    bytes: withImage(`/Width 1 /Height 1 ${GREY_PIXELS} /Mask 7 0 R`, '\x00', [
      streamOf('\x00', `/Type /XObject /Subtype /Image /Width 8 /Height 1 /BitsPerComponent 1 /ColorSpace /DeviceGray`),
    ]),
  },
  {
    title: 'A stream in a compression that nobody knows is not copied',
    why: 'Some readers draw the data as they are, others nothing (7.4).',
    bytes: withImage(`/Width 2 /Height 2 ${GREY_PIXELS} /Filter /Unheard`, '\x00\xff\x00\xff'),
    outcome: 'unlike',
  },
  {
    title: 'A form in the compression of images is not copied',
    why: 'Some readers unpack it, others draw nothing (7.4.8).',
    bytes: makeSmallPage({
      content: '/Fm Do',
      resources: '/XObject << /Fm 6 0 R >>',
      more: [formOf(COLOURED.toString('latin1'), JPEG)],
    }),
    outcome: 'unlike',
  },
  {
    title: 'A mask of opacity with colours is not copied',
    why: 'Some readers make grey of them, others take the bytes as they come (11.6.5.2).',
    bytes: withImage(`/Width 1 /Height 1 ${GREY_PIXELS} /SMask 7 0 R`, '\x00', [
      streamOf(
        '\xff\x00\x00',
        `/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB`,
      ),
    ]),
    outcome: 'unlike',
  },
  {
    title: 'A font that does not say of what kind it is shows its words',
    why: 'The reviewer’s reader shows none, others take it for the commonest kind (9.6.2).',
    bytes: makeSmallPage({
      content: 'BT /F2 24 Tf 20 100 Td (Kind) Tj ET',
      resources: '/Font << /F2 6 0 R >>',
      more: ['<< /Type /Font /BaseFont /Helvetica >>'],
    }),
    outcome: { words: 'Kind' },
    isChanged: true,
  },
  {
    title: 'Glyphs that are drawn in units of their own have a thousandth where no unit is said',
    why: 'Some readers take the unit for a point, so that a glyph covers the page (9.6.4).',
    bytes: makeSmallPage({
      content: 'BT 0 g /F2 100 Tf 50 50 Td (A) Tj ET',
      resources: '/Font << /F2 6 0 R >>',
      more: [
        `<< /Type /Font /Subtype /Type3 ${DRAWN} /CharProcs << /a 7 0 R >> /Resources << >> >>`,
        streamOf('1000 0 0 0 1000 1000 d1 0 0 800 800 re f'),
      ],
    }),
    outcome: { words: 'a' },
  },
  {
    title: 'An opacity beyond all is all',
    why: 'Some readers take what is beyond one for nothing (11.6.4.4).',
    bytes: withState('/ca 2 /CA -1'),
  },
  {
    title: 'A mask without a picture masks nothing',
    why: 'Some readers end at it, others draw on (11.6.5.1).',
    bytes: withState('/SMask << /S /Luminosity >>'),
    isChanged: true,
  },
  {
    title: 'A form whose box is no box is not copied',
    why: 'Some readers draw all of it, others nothing (8.10.2).',
    bytes: makeSmallPage({
      content: '/Fm Do',
      resources: '/XObject << /Fm 6 0 R >>',
      more: [
        streamOf(say('PASSED'), '/Type /XObject /Subtype /Form /BBox [0 0] /Resources << /Font << /F1 5 0 R >> >>'),
      ],
    }),
    outcome: 'unlike',
  },
]
