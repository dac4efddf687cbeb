import { type AmbiguousFile, formOf, makeSmallPage, say, streamOf } from './ambiguous-file.ts'

const WITHOUT_LENGTH =
  'The reviewer’s reader shows nothing of a line without length; others its ends, or as much as it is wide (8.5.3.2).'

/** Nine places far from each other. */
const forEachPlace = (write: (x: number, y: number) => string): string =>
  Array.from({ length: 9 }, (_, i) => write(30 + 60 * (i % 3), 30 + 40 * Math.floor(i / 3))).join(' ')

const makePage = (content: string, resources = '', more: string[] = []): Buffer =>
  makeSmallPage({ content: `${say('Seen', 160)} ${content}`, resources, more })

const LINES = {
  'a line to where it begins': (x: number, y: number) => `${x} ${y} m ${x} ${y}.0 l S`,
  'a line that is closed where it begins': (x: number, y: number) => `${x} ${y} m ${x} ${y} l h S`,
  'a line that is painted closed': (x: number, y: number) => `${x} ${y} m ${x} ${y} l s`,
  'a point that is painted closed': (x: number, y: number) => `${x} ${y} m s`,
  'a point that is closed': (x: number, y: number) => `${x} ${y} m h S`,
  'a curve around nothing': (x: number, y: number) => `${x} ${y} m ${x} ${y} ${x} ${y} ${x} ${y} c b*`,
  'a rectangle of no size': (x: number, y: number) => `${x} ${y} 0 0 re S`,
  'a line behind others of its path': (x: number, y: number) => `0 0 m 9 0 l ${x} ${y} m ${x} ${y} l 0 9 m 9 9 l S`,
  'a line as short as numbers can be': (x: number, y: number) => `${x} ${y} m ${x} ${y}.0000001 l S`,
  'a line far from the origin': (x: number, y: number) =>
    `q 1 0 0 1 -20000 -20000 cm ${20000 + x} ${20000 + y} m ${20000 + x} ${20000 + y} l S Q`,
  'a line behind a comment': (x: number, y: number) => `${x} ${y} m %\n${x} ${y} l S`,
}

const BENT = '20 60 m 100 140 l 180 60 l S'

const STATES_OF_NO_LINE = [
  '/LW -5',
  '/LW 2000000000',
  '/LW (x)',
  '/LC 5',
  '/LC 1.5',
  '/LC -1',
  '/LJ 3',
  '/ML /Most',
  '/D [[-5 5] 0]',
  '/D [[0 0] 0]',
  '/D [20 20]',
  '/D [[20 20]]',
  '/D [[(x)] 0]',
  '/D [[20 20] (x)]',
  '/D [[20 20] 2147483647]',
  '/D /None',
]

const OPERATORS_OF_NO_LINE = ['2000000000 w', '[20 20] 2147483647 d', '[20] -10 d', '[20 20 40 40 5] -10 d']

/** Lines that some readers show nothing of, and others a dot, however wide they are. */
export const AMBIGUOUS_LINES: AmbiguousFile[] = [
  ...Object.entries(LINES).map(([what, write]): AmbiguousFile => ({
    title: `The round ends of ${what} are a dot to all readers`,
    why: WITHOUT_LENGTH,
    bytes: makePage(`1 J 1 j 20 w ${forEachPlace(write)}`),
    outcome: { words: 'Seen' },
    isChanged: true,
  })),
  {
    title:
      'The round end of a line that goes on from a closed part of its path, and has no length, is a dot to all readers',
    why: WITHOUT_LENGTH,
    bytes: makePage('1 J 1 j 20 w 30 30 m 90 30 l h 30 30 l 150 90 m h 150 90 l 40 100 60 20 re 40 100 l S'),
    outcome: { words: 'Seen' },
    isChanged: true,
  },
  {
    title: 'A line without length and ends shows nothing to anybody',
    why: WITHOUT_LENGTH,
    bytes: makePage(`20 w ${forEachPlace(LINES['a line to where it begins'])}`),
    outcome: { words: 'Seen' },
  },
  {
    title: 'A line without length in a form and in a letter is a dot to all readers',
    why: WITHOUT_LENGTH,
    bytes: makePage(
      '/Fm Do BT /T3 1 Tf 1 0 0 1 60 60 Tm (a) Tj ET',
      '/Font << /F1 5 0 R /T3 7 0 R >> /XObject << /Fm 6 0 R >>',
      [
        formOf('1 J 20 w 40 100 m 40 100 l S 100 100 m h S'),
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 200 200] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 ' +
          '/Widths [0] /Encoding << /Differences [97 /a] >> /CharProcs << /a 8 0 R >> >>',
        streamOf('0 0 -50 -50 150 150 d1 1 J 20 w 0 0 m 0 0 l S 60 0 m 60 0 l S'),
      ],
    ),
    outcome: { words: 'Seen a' },
    isChanged: true,
  },
  {
    title: 'A line of dashes too short to be seen is not copied',
    why: 'Of dashes that are ever shorter the reviewer’s reader shows ever less, PDFium the whole line (8.4.3.6).',
    bytes: makePage('[.001 .001] 0 d 5 w 20 100 m 180 100 l S'),
    outcome: 'unlike',
  },
  {
    title: 'Dashes that a graphics state sets, made too short by what draws a form, are not copied',
    why: 'Of dashes that are ever shorter the reviewer’s reader shows ever less, PDFium the whole line (8.4.3.6).',
    bytes: makePage(
      'q .0001 0 0 .0001 0 0 cm /Gs gs /Fm Do Q',
      '/ExtGState << /Gs << /D [[9 9] 0] >> >> /XObject << /Fm 6 0 R >>',
      [
        streamOf(
          '50000 w 200000 1000000 m 1800000 1000000 l S',
          '/Type /XObject /Subtype /Form /BBox [0 0 2000000 2000000]',
        ),
      ],
    ),
    outcome: 'unlike',
  },
  {
    title: 'Lines of short dashes are drawn alike',
    why: 'Of dashes that are ever shorter the reviewer’s reader shows ever less, PDFium the whole line (8.4.3.6).',
    bytes: makePage('[2 3] 0 d 5 w 20 100 m 180 100 l S'),
    outcome: { words: 'Seen' },
  },
  ...STATES_OF_NO_LINE.map((state): AmbiguousFile => ({
    title: `A graphics state that says ${state} is not copied`,
    why: 'Readers take the width before, its absolute, other ends, the whole line or nothing (table 57).',
    bytes: makePage(`12 w /Gs gs ${BENT}`, `/ExtGState << /Gs << ${state} >> >>`),
    outcome: 'unlike',
  })),
  ...OPERATORS_OF_NO_LINE.map((operators): AmbiguousFile => ({
    title: `A line with ${operators} is not copied`,
    why: 'Of lines so wide only the reviewer’s reader shows anything; dashes that begin there lie elsewhere in PDFium or Poppler.',
    bytes: makePage(`12 w ${operators} ${BENT}`),
    outcome: 'unlike',
  })),
  {
    title: 'Lines that graphics states set are drawn alike',
    why: 'What table 57 allows, all readers heed.',
    bytes: makePage(
      `/Gs gs ${BENT}`,
      '/ExtGState << /Gs << /LW 12 /LC 1 /LJ 2 /ML 4.5 /D [[30 20 6 20] -10] >> /No << /D [[] 0] /LW 0 >> >>',
    ),
    outcome: { words: 'Seen' },
  },
  ...['1 1 1 1 0 0', '0 0 0 0 0 0'].map((matrix): AmbiguousFile => ({
    title: `A gradient that is squeezed to nothing by ${matrix} is not copied`,
    why: 'PDFium paints all of the page with it, others nothing.',
    bytes: makePage(
      `q ${matrix} cm /Sh sh Q`,
      '/Shading << /Sh << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 200 0] /Extend [true true] /Function ' +
        '<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [.3] /N 1 >> >> >>',
    ),
    outcome: 'unlike',
  })),
]
