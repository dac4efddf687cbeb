import { type AmbiguousFile, formOf, makeSmallPage, say, streamOf } from './ambiguous-file.ts'

/** One line for each point of a height. */
const forEachLine = (write: (y: number) => string): string =>
  Array.from({ length: 110 }, (_, i) => write(30 + i)).join(' ')

const makePage = (
  content: string,
  objects: { resources: string; more: string[] } = { resources: '', more: [] },
): Buffer => makeSmallPage({ content: `${say('Seen', 160)} ${content}`, ...objects })
const withForm = (content: string): { resources: string; more: string[] } => ({
  resources: '/XObject << /Fm 6 0 R >>',
  more: [formOf(content)],
})

/** So few that other readers may draw each twice as dark, and not more. */
const forEachRule = (write: (y: number) => string): string =>
  Array.from({ length: 5 }, (_, i) => write(30 + 20 * i)).join(' ')

/** A hundred places far from each other. */
const forEachDot = (write: (x: number, y: number) => string): string =>
  Array.from({ length: 100 }, (_, i) => write(20 + 10 * (i % 10), 40 + 10 * Math.floor(i / 10))).join(' ')

/** A font whose letter `a` is object 7. */
const drawnFont = (): string =>
  '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 200 200] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 ' +
  '/Widths [0] /Encoding << /Differences [97 /a] >> /CharProcs << /a 7 0 R >> ' +
  '/Resources << /XObject << /Blank 8 0 R /Fax 9 0 R /PaintedFax 10 0 R >> >> >>'

const PIXEL = '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 1 /ImageMask true'
/** Stencils of one pixel that is not painted: as it stands, and as a fax. */
const BLANKS = [
  streamOf('\xff', PIXEL),
  streamOf('\x1c\0@\x04\0@\x04\0@\x04', `${PIXEL} /Filter /CCITTFaxDecode /DecodeParms << /Columns 1 /Rows 1 >>`),
  // a white pixel behind the end of a line, painted as the range is turned round
  streamOf(
    '\0\x11\xc0\x10\x01',
    `${PIXEL} /Decode [1 0] /Filter /CCITTFaxDecode /DecodeParms << /Columns 1 /Rows 1 /EndOfLine true >>`,
  ),
]

/** @param glyph The operators of the letter `a`. @param shown Those of a text that shows it; its font is one point large. */
const makeDrawn = (glyph: string, shown: string): Buffer =>
  makeSmallPage({
    content: `${say('Seen', 160)} BT /T3 1 Tf ${shown} ET`,
    resources: '/Font << /F1 5 0 R /T3 6 0 R >>',
    more: [drawnFont(), streamOf(glyph), ...BLANKS],
  })

const PIXEL_WIDE = 'Readers draw a rectangle at least a pixel wide, pdf.js as faint as it is thin (10.7.4).'

/** Areas so thin that some readers show nothing of them, and others a line. */
export const AMBIGUOUS_AREAS: AmbiguousFile[] = [
  ...Object.entries({
    'Rectangles without height': (y: number) => `20 ${y}.3 140 0 re f`,
    'Rectangles too thin to be seen': (y: number) => `20 ${y}.3 140 .02 re f`,
    'Rectangles of a tenth of a point': (y: number) => `20 ${y}.3 140 .1 re f`,
    'Rectangles without width': (y: number) => `${y}.3 20 0 140 re f*`,
    'Rectangles of a tenth of a point in width': (y: number) => `${y}.3 20 -.1 140 re f*`,
    'Rectangles of a tenth of a point made of lines': (y: number) =>
      `20 ${y}.3 m 160 ${y}.3 l 160 ${y}.4 l 20 ${y}.4 l h f`,
    'Rectangles that are squeezed too thin': (y: number) => `q 140 0 0 .01 20 ${y}.3 cm 0 0 1 1 re f Q`,
    'Rectangles that are squeezed and turned': (y: number) => `q 0 140 -.1 0 ${y}.3 20 cm 0 0 1 1 re f Q`,
  }).map(([what, write]): AmbiguousFile => ({
    title: `${what} are drawn alike, wide enough to be seen`,
    why: PIXEL_WIDE,
    bytes: makePage(forEachRule(write)),
    outcome: { words: 'Seen' },
    isChanged: true,
  })),
  {
    title: 'Lines that are filled are painted nowhere',
    why: 'PDFium draws lines without area as such when they are filled, others do not (8.5.3.3.1).',
    bytes: makePage(forEachLine((y) => `20 ${y}.3 m 160 ${y}.3 l h F 20 ${y}.7 m 160 ${y}.7 l 20 ${y}.7 l f`)),
    outcome: { words: 'Seen' },
  },
  {
    title: 'Lines from corner to corner that are filled are painted nowhere, and make no area of the corners',
    why: 'PDFium draws lines without area as such when they are filled, others do not (8.5.3.3.1).',
    bytes: makePage(forEachRule((y) => `20 ${y} m 20 ${y} l 160 ${y + 19} l 160 ${y + 19} l 20 ${y} l h 20 ${y} m f`)),
    outcome: { words: 'Seen' },
  },
  {
    title: 'The edge of an area without height is drawn alike',
    why: PIXEL_WIDE,
    bytes: makePage('.5 w 1 0 0 RG 0 0 1 rg 20 100 140 0 re B 20 60 140 0 re b* 40 20 60 30 re B'),
    outcome: { words: 'Seen' },
  },
  {
    title: 'A rule in a form that is drawn large enough is drawn alike',
    why: PIXEL_WIDE,
    bytes: makePage('q 140 0 0 100 20 20 cm /Fm Do Q', withForm('0 0 1 .02 re f 0 .5 1 .3 re f')),
    outcome: { words: 'Seen' },
  },
  {
    title: 'Words that are cut to a rectangle without height are drawn alike',
    why: 'Readers cut to whole pixels, pdf.js does not (8.5.4).',
    bytes: makePage('q 20 100 140 0 re W n BT /F1 200 Tf 0 40 Td (H) Tj ET Q'),
    outcome: { words: 'Seen H' },
  },
  {
    title: 'A rectangle with an operand too many is left to be kept as a picture',
    why: 'Readers take the first or the last of too many (7.8.2).',
    bytes: makePage('9 20 100 140 .02 re f'),
    outcome: 'unlike',
  },
  {
    title: 'A rectangle with something else between its lines is left to be kept as a picture',
    why: 'Readers go on with a path behind what must not stand within, or forget it (8.2).',
    bytes: makePage('20 100 m 160 100 l (a) 160 100.1 l 20 100.1 l h f'),
    outcome: 'unlike',
  },
  {
    title: 'A cut to nothing within which nothing is drawn is taken',
    why: 'Readers cut to whole pixels, pdf.js does not (8.5.4).',
    bytes: makePage('q 20 100 140 0 re W n Q 40 20 60 30 re f'),
    outcome: { words: 'Seen' },
  },
  {
    title: 'Rectangles too small to be seen, each by itself, are drawn alike, wide enough to be seen',
    why: PIXEL_WIDE,
    bytes: makePage(forEachDot((x, y) => `${x} ${y} .1 .1 re f`)),
    outcome: { words: 'Seen' },
    isChanged: true,
  },
  {
    title: 'A rectangle too small to be seen that is drawn again and again is drawn alike, wide enough to be seen',
    why: PIXEL_WIDE,
    bytes: makePage(
      Array.from({ length: 40 }, (_, i) => `q 1 0 0 1 ${20 + 3 * i} 100 cm /Fm Do Q`).join(' '),
      withForm('0 0 .1 .1 re f'),
    ),
    outcome: { words: 'Seen' },
    isChanged: true,
  },
  {
    title: 'A line of rectangles too small to be seen is drawn alike, wide enough to be seen',
    why: PIXEL_WIDE,
    bytes: makePage(
      [40, 100].flatMap((y) => Array.from({ length: 700 }, (_, i) => `${20 + i / 5} ${y}.3 .1 .1 re f`)).join(' '),
    ),
    outcome: { words: 'Seen' },
    isChanged: true,
  },
  {
    title: 'What is cut to rectangles too small to be seen is drawn alike, wide enough to be seen',
    why: 'Readers cut to whole pixels, pdf.js does not (8.5.4).',
    bytes: makePage(
      Array.from({ length: 25 }, (_, i) => `q ${20 + 5 * i} 100.3 .1 .1 re W n 0 0 200 200 re f Q`).join(' '),
    ),
    outcome: { words: 'Seen' },
    isChanged: true,
  },
  {
    title: 'A cut without any extent shows nothing to anybody',
    why: 'Readers cut to whole pixels, pdf.js does not (8.5.4).',
    bytes: makePage('q 100 100 0 0 re W n 0 0 200 200 re f Q'),
    outcome: { words: 'Seen' },
  },
  {
    title: 'Small rectangles side by side are drawn alike',
    why: PIXEL_WIDE,
    bytes: makePage(
      Array.from({ length: 4000 }, (_, i) => `${20 + (i % 200) / 5} ${60 + Math.floor(i / 200) / 5} .2 .2 re f`).join(
        ' ',
      ),
    ),
    outcome: { words: 'Seen' },
  },
  {
    title: 'Stencils too small to be seen, each by itself, are not copied',
    why: 'Readers paint a stencil at least a pixel wide, pdf.js as faint as it is small (8.9.6.2).',
    bytes: makePage(forEachDot((x, y) => `q .1 0 0 .1 ${x} ${y} cm BI /W 1 /H 1 /IM true ID \0 EI Q`)),
    outcome: 'unlike',
  },
  {
    title: 'Letters of a rectangle that is thin for its length are drawn alike, wide enough to be seen',
    why: PIXEL_WIDE,
    bytes: makeDrawn(
      '200 0 d0 0 0 140 .02 re f',
      forEachRule((y) => `1 0 0 1 20 ${y}.3 Tm (a) Tj`),
    ),
    outcome: { words: 'Seen a a a a a' },
    isChanged: true,
  },
  {
    title: 'A letter of a stencil that is squeezed too thin is not copied',
    why: 'Readers paint a stencil at least a pixel wide, pdf.js as faint as it is thin (8.9.6.2).',
    bytes: makeDrawn('1 0 0 0 1 1 d1 BI /W 1 /H 1 /IM true ID \0 EI', '140 0 0 .01 20 100 Tm (a) Tj'),
    outcome: 'unlike',
  },
  {
    title: 'Letters that are dots too small to be seen are not copied',
    why: 'Readers paint a stencil at least a pixel wide, pdf.js as faint as it is small (8.9.6.2).',
    bytes: makeDrawn(
      '1 0 0 0 1 1 d1 BI /W 1 /H 1 /IM true ID \0 EI',
      `/T3 .1 Tf ${forEachDot((x, y) => `1 0 0 1 ${x} ${y} Tm (a) Tj`)}`,
    ),
    outcome: 'unlike',
  },
  {
    title: 'Letters that are dots, made small by what is around them, are not copied',
    why: PIXEL_WIDE,
    bytes: makeDrawn(
      '1 0 0 0 1 1 d1 0 0 1 1 re f',
      `ET q .1 0 0 .1 0 0 cm BT ${forEachDot((x, y) => `1 0 0 1 ${10 * x} ${10 * y} Tm (a) Tj`)} ET Q BT`,
    ),
    outcome: 'unlike',
  },
  {
    title: 'Letters of a size that was chosen outside a form are not copied',
    why: 'A form begins with the font of what draws it (8.10.1), which the form alone does not tell.',
    bytes: makeSmallPage({
      content: `${say('Seen', 160)} BT /T3 .1 Tf ET /Fm Do`,
      resources: '/Font << /F1 5 0 R /T3 6 0 R >> /XObject << /Fm 11 0 R >>',
      more: [drawnFont(), streamOf('1 0 0 0 1 1 d1 0 0 1 1 re f'), ...BLANKS, formOf('BT (a) Tj ET')],
    }),
    outcome: 'unlike',
  },
  {
    title: 'Small print of drawn letters with a full stop is drawn alike',
    why: PIXEL_WIDE,
    bytes: makeDrawn('1 0 0 0 1 1 d1 BI /W 1 /H 1 /IM true ID \0 EI', `/T3 .5 Tf 1 0 0 1 20 100 Tm (a) Tj`),
    outcome: { words: 'Seen a' },
  },
  ...Object.entries({
    'among operators': '1 0 0 0 1 1 d1 BI /W 1 /H 1 /IM true /D[1 0] ID \0 EI',
    'among operators, of some pixels': '1 0 0 0 1 1 d1 BI /W 9 /H 1 /IM true ID \xff\x80 EI',
    'as an object': '1 0 0 0 1 1 d1 /Blank Do',
    'as a fax': '1 0 0 0 1 1 d1 /Fax Do',
  }).map(([where, glyph]): AmbiguousFile => ({
    title: `A blank among small letters that are pictures, ${where}, is taken`,
    why: 'It is a stencil that paints nothing, for all readers.',
    bytes: makeDrawn(glyph, '/T3 .1 Tf 1 0 0 1 20 100 Tm (a) Tj'),
    outcome: { words: 'Seen a' },
  })),
  ...Object.entries({
    'an odd range': '/W 1 /D [.7 .2] ID \x80',
    'two ranges': '/W 1 /D [1 0] /D [0 1] ID \0',
    'data that begin behind a bracket': '/W 1 /D [0 1]ID \0 ID \xff',
    'a comment among its entries': '/W 1 /D %\n[1 0] ID \xff',
    'one painted pixel of many': '/W 16 ID \xff\xfe',
  }).map(([what, rest]): AmbiguousFile => ({
    title: `A stencil too small to be seen, with ${what}, is no blank`,
    why: 'Readers paint a stencil at least a pixel wide, pdf.js as faint as it is small (8.9.6.2).',
    bytes: makeDrawn(`1 0 0 0 1 1 d1 BI /IM true /H 1 ${rest} EI`, '/T3 .1 Tf 1 0 0 1 20 100 Tm (a) Tj'),
    outcome: 'unlike',
  })),
  {
    title: 'A fax of a painted pixel in small letters is no blank',
    why: 'Readers paint a stencil at least a pixel wide, pdf.js as faint as it is small (8.9.6.2).',
    bytes: makeDrawn('1 0 0 0 1 1 d1 /PaintedFax Do', '/T3 .1 Tf 1 0 0 1 20 100 Tm (a) Tj'),
    outcome: 'unlike',
  },
]
