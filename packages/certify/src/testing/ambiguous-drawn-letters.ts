import { type AmbiguousFile, makeSmallPage, streamOf } from './ambiguous-file.ts'

const SQUARE = '1000 0 0 0 1000 1000 d1 100 100 700 700 re f'
const TRIANGLE = '1000 0 d0 100 100 m 800 100 l 450 800 l f'
const STENCIL = 'BI /W 2 /H 2 /IM true /BPC 1 ID \x00\x00 EI'

const makeForm = (content: string): string =>
  streamOf(content, '/Type /XObject /Subtype /Form /BBox [0 0 1000 1000] /Resources << >>')

interface Parts {
  content?: string
  matrix?: string
  box?: string
  widths?: string
  encoding?: string
  /** Resources of the font. */
  resources?: string
  /** The letters a and b. */
  a?: string
  b?: string
  /** Of the letter a. */
  entries?: string
}

/** A page with the letters a and b of a font that draws them, a square and a triangle unless said otherwise. */
function withLetters(parts: Parts): Buffer {
  const {
    content = 'BT /T3 60 Tf 20 80 Td (ab) Tj ET',
    matrix = '.001 0 0 .001 0 0',
    box = '0 0 1000 1000',
    widths = '/FirstChar 97 /LastChar 98 /Widths [1000 1000]',
    encoding = '/Encoding << /Differences [97 /a /b] >>',
    resources = '/Font << /F1 5 0 R /T3 6 0 R >>',
    a = SQUARE,
    b = TRIANGLE,
    entries = '',
  } = parts
  return makeSmallPage({
    content,
    resources: '/Font << /F1 5 0 R /T3 6 0 R >>',
    more: [
      `<< /Type /Font /Subtype /Type3 /FontBBox [${box}] /FontMatrix [${matrix}] ${widths} ${encoding} ` +
        `/CharProcs << /a 7 0 R /b 8 0 R >> /Resources << ${resources} >> >>`,
      streamOf(a, entries),
      streamOf(b),
      makeForm('/Nowhere Do 100 100 700 700 re f'),
      '<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 200 0] /Extend [true true] ' +
        '/Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >> >> >>',
      makeForm('100 100 700 700 re f'),
      makeForm(''),
    ],
  })
}

const drawn = (title: string, why: string, parts: Parts, words = 'ab', isChanged = false): AmbiguousFile => ({
  title,
  why,
  bytes: withLetters(parts),
  outcome: { words },
  ...(isChanged ? { isChanged } : {}),
})

const unlike = (title: string, why: string, parts: Parts): AmbiguousFile => ({
  title,
  why,
  bytes: withLetters(parts),
  outcome: 'unlike',
})

const LOST = 'The reviewer’s reader leaves out the whole letter then, others what is not there (9.6.4).'
const TURNED = 'BT /T3 60 Tf 20 80 Td (ba) Tj ET'
const COLOURED = '100 100 700 700 re f'

/** Fonts that draw their letters by operators: which letters they are, where they stand, and what is drawn. */
export const AMBIGUOUS_DRAWN_LETTERS: readonly AmbiguousFile[] = [
  ...['/Nowhere Do', '/Nowhere gs', '/Nowhere sh', '/OC /Nowhere BDC EMC', 'BT /Nowhere 12 Tf ET'].map((operators) =>
    unlike(`A drawn letter with ${operators}, which is nowhere, is not copied`, LOST, {
      a: `1000 0 d0 ${operators} ${COLOURED}`,
    }),
  ),
  unlike('A drawn letter with a form that names what is nowhere is not copied', LOST, {
    a: '1000 0 d0 /Fm Do',
    resources: '/XObject << /Fm 9 0 R >>',
  }),
  ...['.001 0 0 .001 1 0', '.001 0 0 .001 0 1'].map((matrix) =>
    unlike(`Drawn letters that their matrix, ${matrix}, moves are not copied`, 'Poppler does not move them (9.6.4).', {
      matrix,
    }),
  ),
  unlike('Drawn letters on their side are not copied', 'PDFium takes other widths (9.6.4).', {
    matrix: '0 .001 -.001 0 0 0',
  }),
  drawn('A drawn letter in a box without extent is drawn whole', 'Poppler shows what is in the box (9.6.4).', {
    box: '0 0 10 10',
    a: '1000 0 0 0 0 0 d1 100 100 700 700 re f',
  }),
  drawn('White in a drawn letter without colours is passed over', 'Poppler heeds it in large letters (9.6.4).', {
    box: '0 0 10 10',
    a: `1000 0 0 0 1000 1000 d1 1 g ${COLOURED}`,
  }),
  drawn('A drawn letter has the resources of its font', 'Some readers take those of the letter (9.6.4).', {
    a: '1000 0 d0 /Fm Do',
    resources: '/XObject << /Fm 11 0 R >>',
    entries: '/Resources << /XObject << /Fm 12 0 R >> >>',
  }),
  ...[
    ['no widths', ''],
    ['widths that begin elsewhere', '/FirstChar 96 /LastChar 98 /Widths [1000 1000]'],
    ['fewer widths', '/FirstChar 97 /LastChar 98 /Widths [500]'],
    ['widths of nothing', '/FirstChar 97 /LastChar 98 /Widths [0 0]'],
    ['more widths than it says', '/FirstChar 97 /LastChar 97 /Widths [1000 1000]'],
  ].map(([what, widths]) =>
    drawn(
      `A font that draws its letters and has ${what} sets them alike`,
      'PDFium takes what letters say of themselves, Poppler as many widths as are said (9.6.4).',
      { widths: widths!, content: TURNED },
      'ba',
    ),
  ),
  drawn(
    'Widths of drawn letters are those of a thousandth of the text',
    'PDFium rounds them, and set letters on each other (9.6.4).',
    {
      content: 'BT /T3 60000 Tf 20 80 Td (aba) Tj ET',
      matrix: '.000001 0 0 .000001 0 0',
      widths: '/FirstChar 97 /LastChar 98 /Widths [700 1400]',
    },
    'aba',
    true,
  ),
  ...['', '/Encoding /StandardEncoding', '/Encoding /Unheard'].map((encoding) =>
    drawn(
      `A font that draws its letters has the standard codes with ${encoding || 'no encoding'}`,
      'PDFium shows nothing (9.6.4).',
      { encoding },
    ),
  ),
  ...['97 (a) /b', '97 null /b /a', '97 [/a /b] /b /a'].map((list) =>
    unlike(`Names of drawn letters as in ${list} are not copied`, 'The reviewer’s reader shows nothing (9.6.5.1).', {
      encoding: `/Encoding << /Differences [${list}] >>`,
    }),
  ),
  unlike('A drawn letter that shows letters of its font is not copied', 'Poppler shows them (9.6.4).', {
    a: '1000 0 d0 BT /T3 500 Tf (b) Tj ET',
  }),
  unlike('A drawn letter that restores a state from around it is not copied', 'Readers restore another (8.4.2).', {
    a: `1000 0 d0 Q Q ${COLOURED}`,
  }),
  unlike('A drawn letter that names its width twice is not copied', 'PDFium takes the last (9.6.4).', {
    a: `${SQUARE} 500 0 d0`,
  }),
  unlike('A drawn letter with a gradient is not copied', 'PDFium puts it elsewhere (8.7.4).', {
    a: `1000 0 d0 /Pattern cs /P scn ${COLOURED}`,
    resources: '/Pattern << /P 10 0 R >>',
  }),
  ...[
    ['white, and areas are not', '0 g 1 G'],
    ['black, and areas are white', '0 G 1 g'],
    ['another after a state is restored', 'q 1 g 1 G Q 1 G'],
  ].map(([what, set]) =>
    unlike(
      `Drawn letters with lines are not copied where lines are ${what}`,
      'The reviewer’s reader takes the colour of lines, others that of areas (9.6.4).',
      {
        a: '1000 0 0 0 1000 1000 d1 100 w 100 100 700 700 re S',
        content: `${set} BT /T3 60 Tf 20 80 Td (ab) Tj ET`,
      },
    ),
  ),
  drawn('Drawn letters with lines take the colour of both', 'Most text has one colour (9.6.4).', {
    a: '1000 0 0 0 1000 1000 d1 100 w 100 100 700 700 re S',
    content: '1 0 0 rg 1 0 0 RG BT /T3 60 Tf 20 80 Td (ab) Tj ET',
  }),
  ...[
    ['a box', `1000 0 0 0 300 300 d1 800 0 0 800 0 0 cm ${STENCIL}`],
    ['a part of it', `1000 0 0 0 1000 1000 d1 0 0 300 300 re W n 800 0 0 800 0 0 cm ${STENCIL}`],
  ].map(([what, a]) =>
    drawn(`A drawn letter that is one image is cut to ${what}`, 'PDFium shows the whole image (9.6.4).', { a: a! }),
  ),
]
