import { type AmbiguousFile, makeSmallPage, streamOf } from './ambiguous-file.ts'

const SIDES = '/BitsPerCoordinate 8 /BitsPerComponent 8 /BitsPerFlag 8'
const BLACK_TO_RED = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [1 0 0] /N 1 >>'
/** One grey after the other, each up to a place. */
const stitch = (bounds: string, greys: readonly number[], domain = '[0 1]'): string =>
  `<< /FunctionType 3 /Domain ${domain} /Bounds [${bounds}] /Encode [${greys.map(() => '0 1').join(' ')}] /Functions [` +
  greys.map((grey) => `<< /FunctionType 2 /Domain [0 1] /C0 [${grey}] /C1 [${grey}] /N 1 >>`).join(' ') +
  '] >>'

/** A gradient that an operator draws, and the same as a pattern. */
function drawBoth(
  file: Omit<AmbiguousFile, 'bytes'>,
  gradient: string,
  { before = '', more = [] }: { before?: string; more?: string[] } = {},
): AmbiguousFile[] {
  const pattern = '<< /Type /Pattern /PatternType 2 /Shading 6 0 R >>'
  return [
    {
      ...file,
      title: `${file.title}, drawn by an operator`,
      bytes: makeSmallPage({
        content: `${before} /Sh sh`,
        resources: '/Shading << /Sh 6 0 R >>',
        more: [gradient, pattern, ...more],
      }),
    },
    {
      ...file,
      title: `${file.title}, as a pattern`,
      bytes: makeSmallPage({
        content: `${before} /Pattern cs /P scn 20 20 160 160 re f`,
        resources: '/Pattern << /P 7 0 R >>',
        more: [gradient, pattern, ...more],
      }),
    },
  ]
}

/** Corners of triangles: a flag, a place and a grey each. */
const TRIANGLE = [0, 20, 20, 0, 0, 180, 20, 255, 0, 100, 180, 0]
const meshOf = (bytes: readonly number[], entries: string, kind = 4): string =>
  streamOf(
    String.fromCharCode(...bytes),
    `/ShadingType ${kind} /ColorSpace /DeviceGray ${SIDES} ${/\/Decode/.test(entries) ? '' : '/Decode [0 255 0 255 0 1]'} ${entries}`,
  )
const patchOf = (flag: number, bytes: readonly number[] = AROUND): number[] => [flag, ...bytes, 0, 0, 0, 0]
const AROUND = [
  20, 20, 20, 70, 20, 130, 20, 180, 70, 180, 130, 180, 180, 180, 180, 130, 180, 70, 180, 20, 130, 20, 70, 20,
]
const areaOf = (entries: string): string => `<< /ShadingType 1 /ColorSpace /DeviceGray /Function 8 0 R ${entries} >>`
const calculate = (code: string, domain = '[0 1 0 1]'): string =>
  streamOf(`{${code}}`, `/FunctionType 4 /Domain ${domain} /Range [0 1]`)
const axisOf = (coords: string, made: string, kind = 2): string =>
  `<< /ShadingType ${kind} /ColorSpace /DeviceGray /Coords [${coords}] /Extend [true true] /Function ${made} >>`

/** Tiles, and gradients that readers ask for their colours at other places than the next. */
export const AMBIGUOUS_GRADIENTS: AmbiguousFile[] = [
  ...drawBoth(
    {
      title: 'A band that a function puts within a triangle is seen by nobody',
      why: 'The reviewer’s reader asks the function at the corners, others between them (8.7.4.5.5).',
    },
    meshOf(TRIANGLE, `/Function ${stitch('.3 .7', [1, 0, 1])}`),
  ),
  ...drawBoth(
    {
      title: 'A step that a function puts within a patch is a passage to all',
      why: 'The reviewer’s reader asks the function at the corners, others between them (8.7.4.5.7).',
    },
    meshOf([0, ...AROUND, 0, 0, 255, 255], `/Function ${stitch('.5', [1, 0])}`, 6),
  ),
  ...(
    [
      ['a flag that there is not', meshOf([...TRIANGLE, 3, 20, 180, 0], '')],
      ['a first flag that goes on from nothing', meshOf([1, ...TRIANGLE.slice(1)], '')],
      ['a byte too many', meshOf([...TRIANGLE, 0], '')],
      ['fewer ranges than it needs', meshOf(TRIANGLE, '/Decode [0 255 0 255]')],
      ['no height', meshOf([0, 20, 20, 0, 0, 180, 20, 0, 0, 100, 20, 0], '')],
      [
        'rows of one corner',
        meshOf(
          TRIANGLE.filter((_, i) => i % 4 !== 0),
          '/VerticesPerRow 1',
          5,
        ),
      ],
      ['a patch that goes on from nothing', meshOf(patchOf(1), '', 6)],
      ['a patch with a flag that there is not', meshOf(patchOf(7), '', 6)],
      ['a patch without its last colour', meshOf(patchOf(0).slice(0, -1), '', 6)],
      [
        'no area in its patch',
        meshOf(
          patchOf(
            0,
            AROUND.map((value, i) => (i % 2 === 0 ? value : 100)),
          ),
          '',
          6,
        ),
      ],
      ['a function that does not know its colours', meshOf(TRIANGLE, `/Function ${stitch('.3', [1, 0], '[0 .5]')}`)],
    ] as const
  ).flatMap(([fault, gradient]) =>
    drawBoth(
      {
        title: `A mesh of colours with ${fault} is not copied`,
        why: 'Readers paint nothing, a part, or all of the page, in black or pink (8.7.4.5.5 to 8).',
        outcome: 'unlike',
      },
      gradient,
    ),
  ),
  ...(
    [
      [
        'whose inner places lie far outside',
        7,
        [...AROUND.map((value) => 60 + value * 0.4), 0, 0, 0, 200, 200, 200, 200, 0],
      ],
      [
        'that is thin but for its inner places',
        7,
        [...AROUND.map((value, i) => (i % 2 === 0 ? 100 + value / 50 : value)), 0, 20, 0, 180, 200, 180, 200, 20],
      ],
      [
        'whose corners are one',
        6,
        [100, 100, 0, 0, 0, 200, 100, 100, 0, 200, 200, 200, 100, 100, 200, 200, 200, 0, 100, 100, 200, 0, 0, 0],
      ],
    ] as const
  ).flatMap(([fault, kind, places]) =>
    drawBoth(
      {
        title: `A patch of colours ${fault} is not copied`,
        why: 'Some readers draw what is around it alone, and divide it as they like (8.7.4.5.8).',
        outcome: 'unlike',
      },
      meshOf(patchOf(0, places), '', kind),
    ),
  ),
  ...drawBoth(
    {
      title: 'A patch of colours whose inner places lie within is drawn',
      why: 'Programs for drawing write such (8.7.4.5.8).',
    },
    meshOf([0, ...AROUND, 70, 75, 72, 130, 130, 130, 130, 70, 0, 128, 255, 64], '', 7),
  ),
  {
    title: 'The background of a mesh goes as far as the mesh',
    why: 'The reviewer’s reader paints it no farther, others everywhere (8.7.4.3).',
    bytes: makeSmallPage({
      content: '/Pattern cs /P scn 0 0 200 200 re f',
      resources: '/Pattern << /P 7 0 R >>',
      more: [
        meshOf([0, 60, 60, 0, 0, 140, 60, 0, 0, 100, 140, 0], '/Background [.5]'),
        '<< /Type /Pattern /PatternType 2 /Shading 6 0 R >>',
      ],
    }),
  },
  {
    title: 'The background of a gradient over an area is left out',
    why: 'The reviewer’s reader does not paint it, others do (8.7.4.3).',
    bytes: makeSmallPage({
      content: '/Pattern cs /P scn 20 20 160 160 re f',
      resources: '/Pattern << /P 7 0 R >>',
      more: [
        areaOf('/Matrix [60 0 0 60 20 20] /Background [0]'),
        '<< /Type /Pattern /PatternType 2 /Shading 6 0 R >>',
        calculate('mul'),
      ],
    }),
  },
  ...drawBoth(
    { title: 'A smooth gradient over an area is drawn', why: 'Programs for charts write such (8.7.4.5.2).' },
    areaOf('/Matrix [160 0 0 160 20 20]'),
    { more: [calculate('mul')] },
  ),
  ...drawBoth(
    { title: 'An edge in a gradient over an area is drawn', why: 'It is as sharp as the page can show (8.7.4.5.2).' },
    areaOf('/Matrix [160 0 0 160 20 20]'),
    { more: [calculate('pop .5 gt {1} {0} ifelse')] },
  ),
  ...(
    [
      ['the wrong way round', '/Domain [1 0 1 0] /Matrix [160 0 0 160 20 20]', 'pop pop 0', '[0 1 0 1]'],
      ['that its function does not know', '/Domain [0 200 0 200]', 'pop pop 0', '[0 1 0 1]'],
      [
        'finer than can be seen',
        '/Matrix [160 0 0 160 20 20]',
        'pop 160 mul dup floor sub .5 gt {1} {0} ifelse',
        '[0 1 0 1]',
      ],
      [
        'of which a page shows a part',
        '/Matrix [16000 0 0 16000 -7920 -7920]',
        'pop dup .501 gt exch .504 lt and {0} {1} ifelse',
        '[0 1 0 1]',
      ],
    ] as const
  ).flatMap(([fault, entries, code, domain]) =>
    drawBoth(
      {
        title: `A gradient over an area ${fault} is not copied`,
        why: 'The reviewer’s reader asks the function at the corners of a grid, others at each pixel (8.7.4.5.2).',
        outcome: 'unlike',
        isFine: fault === 'finer than can be seen',
      },
      areaOf(entries),
      { more: [calculate(code, domain)] },
    ),
  ),
  ...(
    [
      ['between two places that are nearly one', axisOf('100 0 100.0000001 0', BLACK_TO_RED).replace('Gray', 'RGB')],
      [
        'between circles that are nearly points',
        axisOf('100 100 0 100 100 .0001', BLACK_TO_RED, 3).replace('Gray', 'RGB'),
      ],
      [
        'that goes on beyond circles that touch',
        axisOf('100 100 40 60 100 80', BLACK_TO_RED, 3).replace('Gray', 'RGB'),
      ],
      ['with a band narrower than readers look', axisOf('0 0 200 0', stitch('.501 .503', [1, 0, 1]))],
      ['of which a page shows a band', axisOf('-9950 0 10050 0', stitch('.5 .505', [1, 0, 1]))],
      ['of which a page shows a step', axisOf('-9950 0 10050 0', stitch('.501', [1, 0]))],
      [
        'between circles of which a page shows a ring',
        axisOf('100 100 0 100 100 20000', stitch('.0025 .005', [1, 0, 1]), 3),
      ],
    ] as const
  ).flatMap(([fault, gradient]) =>
    drawBoth(
      {
        title: `A gradient ${fault} is not copied`,
        why: 'Readers know its colours at some hundreds of places, each at others (8.7.4.5.3).',
        outcome: 'unlike',
      },
      gradient,
    ),
  ),
  ...drawBoth(
    {
      title: 'A gradient from one value to the same is not copied',
      why: 'The reviewer’s reader shows nothing, others what is between its ends (8.7.4.5.3).',
      outcome: 'unlike',
    },
    axisOf('60 0 140 0', '<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>').replace(
      '/Extend [true true]',
      '/Domain [.5 .5]',
    ),
  ),
  ...[
    ['[0 1]', '.5 1'],
    ['[0 .5]', '.25 .5'],
  ].flatMap(([domain, bounds]) =>
    drawBoth(
      {
        title: `A gradient over ${domain!} that goes on beyond its end in another colour is not copied`,
        why: 'Poppler shows the colour at the end, others the one before (7.10.4).',
        outcome: 'unlike',
      },
      axisOf('60 0 140 0', stitch(bounds!, [1, 0.8, 0])).replace('/Extend', `/Domain ${domain!} /Extend`),
    ),
  ),
  ...drawBoth(
    {
      title: 'A gradient that changes its colour at its beginning is drawn',
      why: 'All readers show the one behind (7.10.4).',
    },
    axisOf('60 0 140 0', stitch('0', [0, 0.8])).replace('/Extend [true true]', ''),
  ),
  ...drawBoth(
    { title: 'A gradient whose colours end at once is drawn', why: 'Many files have such stripes (8.7.4.5.3).' },
    axisOf('20 0 180 0', stitch('.3 .6', [1, 0, 0.5])),
  ),
  ...[
    ['/XStep .05 /YStep .05', ''],
    ['/XStep 5 /YStep 5', '/Matrix [.01 0 0 .01 0 0]'],
  ].map(([steps, matrix]): AmbiguousFile => ({
    title: `Tiles with the steps ${steps} ${matrix} are not copied`,
    why: 'Readers draw millions of them, each until it gives up (8.7.3.1).',
    bytes: makeSmallPage({
      content: '/Pattern cs /P scn 20 20 160 160 re f',
      resources: '/Pattern << /P 6 0 R >>',
      more: [
        streamOf(
          '0 g 0 0 50 50 re f',
          `/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 50 50] ${steps} ${matrix} /Resources << >>`,
        ),
      ],
    }),
    outcome: 'unlike',
  })),
]
