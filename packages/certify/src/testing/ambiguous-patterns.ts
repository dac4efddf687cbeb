import { type AmbiguousFile, formOf, makeSmallPage, say, streamOf } from './ambiguous-file.ts'

const GRADIENT =
  '<< /Type /Pattern /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceGray /Coords [20 0 180 0] /Extend [true true] ' +
  '/Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [.4] /N 1 >> >> >>'
const WHITE = '1 g 0 0 20 20 re f'
const tileOf = (content: string, entries = '', resources = '<< >>'): string =>
  streamOf(
    content,
    `/Type /Pattern /PatternType 1 ${/\/PaintType/.test(entries) ? '' : '/PaintType 1'} ` +
      `${/\/TilingType/.test(entries) ? '' : '/TilingType 1'} ${/\/BBox/.test(entries) ? '' : '/BBox [0 0 20 20]'} ` +
      `/XStep 20 /YStep 20 /Resources ${resources} ${entries}`,
  )
const TILE = tileOf('0 g 0 0 10 20 re f')

/** Content that paints with the pattern P, which is object 6; further objects have numbers from 7 on. */
const paintBy = (pattern: string, content: string, more: string[] = [], resources = ''): Buffer =>
  makeSmallPage({ content, resources: `/Pattern << /P 6 0 R >> ${resources}`, more: [pattern, ...more] })

const AREA = '/Pattern cs /P scn'
const LINE = '/Pattern CS /P SCN'
const letters = (mode: number): string => `3 w BT /F1 60 Tf 20 80 Td ${mode} Tr (TEXT) Tj ET`

const unlike = (title: string, why: string, bytes: Buffer): AmbiguousFile => ({
  title: `${title} is not copied`,
  why,
  bytes,
  outcome: 'unlike',
})

/** Tiles and gradients where only some readers paint with them, or begin them elsewhere. */
export const AMBIGUOUS_PATTERNS: readonly AmbiguousFile[] = [
  unlike(
    'An outline around letters of a pattern',
    'The reviewer’s reader draws none: black outlines of white letters were seen by everybody else (9.3.6).',
    paintBy(tileOf(WHITE), `${AREA} 0 G ${letters(2)}`),
  ),
  ...[1, 2, 5, 6].map((mode) =>
    unlike(
      `A pattern for the outlines of letters in mode ${mode}`,
      'Poppler draws them black, white ones too (9.3.6).',
      paintBy(tileOf(WHITE), `q ${LINE} ${letters(mode)} Q`),
    ),
  ),
  ...[
    ['a gradient', GRADIENT],
    ['tiles', TILE],
  ].flatMap(([what, pattern]): AmbiguousFile[] => [
    {
      title: `Letters within and lines by themselves are drawn with ${what!}`,
      why: 'All readers do (8.7).',
      bytes: paintBy(pattern!, `${AREA} ${letters(0)} ${LINE} 8 w 30 30 140 140 re S`),
      outcome: { words: 'TEXT' },
    },
    unlike(
      `An area with ${what!} for its lines`,
      'PDFium draws the lines first, and the area over half of them (8.5.3.4).',
      paintBy(pattern!, `${LINE} 1 1 0 rg 40 w 60 60 80 80 re B`),
    ),
    {
      title: `An area of ${what!} with plain lines around it is drawn`,
      why: 'All readers draw the lines over it (8.5.3.4).',
      bytes: paintBy(pattern!, `${AREA} 0 G 10 w 40 40 120 120 re B`),
    },
    unlike(
      `A form that is painted with ${what!} of the page around it`,
      'In some readers these begin where the form does, in others where the page does (8.7.3.1).',
      paintBy(
        pattern!,
        `${AREA} q .5 0 0 .5 50 50 cm /Fm Do Q`,
        [formOf('20 20 160 160 re f')],
        '/XObject << /Fm 7 0 R >>',
      ),
    ),
    {
      title: `A form that chooses its own colour after ${what!} of the page shows that`,
      why: 'It takes over nothing (8.10.1).',
      bytes: paintBy(
        pattern!,
        `${AREA} q .5 0 0 .5 50 50 cm /Fm Do Q`,
        [formOf('0 g 20 20 160 160 re f')],
        '/XObject << /Fm 7 0 R >>',
      ),
    },
    unlike(
      `A tile that is painted with ${what!}`,
      'Poppler begins these elsewhere, or shows none (8.7.3.1).',
      paintBy(
        tileOf('/Pattern cs /Q scn 0 0 18 18 re f', '/Matrix [3 0 0 3 0 0]', '<< /Pattern << /Q 7 0 R >> >>'),
        `${AREA} 20 20 160 160 re f`,
        [pattern!],
      ),
    ),
  ]),
  unlike(
    'A form within a tile that draws a gradient',
    'Poppler begins it elsewhere (8.7.3.1).',
    paintBy(tileOf('/Fm Do', '/Matrix [3 0 0 3 0 0]', '<< /XObject << /Fm 7 0 R >> >>'), `${AREA} 20 20 160 160 re f`, [
      formOf('/Sh sh', '', '/Resources << /Shading << /Sh 8 0 R >> >>'),
      '<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 20 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [.4] /N 1 >> >>',
    ]),
  ),
  unlike(
    'A tile without colours of its own for lines',
    'PDFium draws them black, white ones too (8.7.3.3).',
    paintBy(
      tileOf('0 0 20 20 re f', '/PaintType 2'),
      '/Tinted CS 1 1 1 /P SCN 30 w 40 40 120 120 re S',
      [],
      '/ColorSpace << /Tinted [/Pattern /DeviceRGB] >>',
    ),
  ),
  {
    title: 'Lines of tiles whose box begins with its upper corner are drawn alike',
    why: 'PDFium drew fewer of them (7.9.5).',
    bytes: paintBy(tileOf('0 g 0 0 10 20 re f', '/BBox [20 20 0 0]'), `${LINE} 30 w 40 40 120 120 re S`),
  },
  {
    title: 'Tiles of a kind that there is not are drawn',
    why: 'Ghostscript showed none (table 74).',
    bytes: paintBy(tileOf('0 g 0 0 10 20 re f', '/TilingType 0'), `${AREA} 20 20 160 160 re f`),
  },
  ...['0 M', '-5 M', '/Low gs'].map((limit): AmbiguousFile => ({
    title: `Corners with the limit ${limit} are as pointed as the reviewer’s reader shows them`,
    why: 'It passes over limits below 1, others cut corners off (8.4.3.5).',
    bytes: makeSmallPage({
      content: `${limit} 20 w 50 40 m 100 120 l 150 40 l S`,
      resources: '/ExtGState << /Low << /ML 0 >> >>',
    }),
  })),
  {
    title: 'What stands behind a state that was never saved is there to all',
    why: 'Poppler showed nothing from there on (8.4.2).',
    bytes: makeSmallPage({ content: `q Q Q ${say('SEEN')} q q Q Q Q 40 40 120 20 re f` }),
    outcome: { words: 'SEEN' },
  },
  ...['/BC [1 1 1]', '/BC [1]'].map((around): AmbiguousFile => ({
    title: `A mask by opacity with ${around} has no colour around it`,
    why: 'Poppler and Ghostscript heeded it, and showed all that was masked (table 142).',
    bytes: makeSmallPage({
      content: '/G gs 0 0 200 200 re f',
      resources: `/ExtGState << /G << /SMask << /S /Alpha /G 6 0 R ${around} >> >> >>`,
      more: [
        formOf('0 g 60 60 80 80 re f', '/Group << /S /Transparency /CS /DeviceRGB >>').replace(
          '[0 0 200 200]',
          '[40 40 160 160]',
        ),
      ],
    }),
  })),
]
