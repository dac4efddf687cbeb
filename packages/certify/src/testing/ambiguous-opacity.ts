import { type AmbiguousFile, formOf, makeSmallPage, say, SQUARE, streamOf } from './ambiguous-file.ts'

const GROUP = '/Group << /S /Transparency /CS /DeviceGray >>'
const BARE = '/Resources << >>'
/** Lets the middle through. */
const HOLE = formOf('1 g 60 60 80 80 re f', GROUP, BARE)
const MASK = '/SMask << /S /Luminosity /G 6 0 R >>'
const TILE = streamOf(
  '0 g 0 0 10 10 re f',
  '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >>',
)

/** Draws with a graphics state; the resources are called `X`, `P` and `T3`. */
function withState(state: string, content: string, more: string[] = [], resources = ''): Buffer {
  return makeSmallPage({ content, resources: `/ExtGState << /G1 << ${state} >> >> ${resources}`, more })
}

const unlike = (title: string, why: string, bytes: Buffer): AmbiguousFile => ({
  title: `${title} are not copied`,
  why,
  bytes,
  outcome: 'unlike',
})

/** A page whose form sets a state and shows a letter that is drawn by operators. */
const withDrawnLetter = (state: string, letter: string): Buffer =>
  makeSmallPage({
    content: '/X Do',
    resources: '/XObject << /X 6 0 R >>',
    more: [
      formOf(
        '/G1 gs BT /T3 100 Tf 50 50 Td (a) Tj ET',
        '',
        `/Resources << /Font << /T3 7 0 R >> /ExtGState << /G1 << ${state} >> >> >>`,
      ),
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << /a 8 0 R >> ' +
        '/Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << >> >>',
      streamOf(letter),
    ],
  })

/** Opacity, masks, groups and blending: what is there for some readers only. */
export const AMBIGUOUS_OPACITY: readonly AmbiguousFile[] = [
  ...['Difference', 'Screen', 'Exclusion', 'Lighten'].map((mode): AmbiguousFile => ({
    title: `On bare paper the blend mode ${mode} shows the same to all`,
    why: 'PDFium lets a page blend with its paper, others with nothing (11.4.7).',
    bytes: withState(`/BM /${mode}`, `/G1 gs 1 g 20 20 80 160 re f 0 g 120 20 60 160 re f`),
  })),
  {
    title: 'So it does where a form that a form draws blends',
    why: 'PDFium lets a page blend with its paper, others with nothing (11.4.7).',
    bytes: makeSmallPage({
      content: '/X Do',
      resources: '/XObject << /X 6 0 R >>',
      more: [
        formOf('/Y Do', '', '/Resources << /XObject << /Y 7 0 R >> >>'),
        formOf(
          `/G1 gs 1 g 20 20 160 160 re f`,
          '/Group << /S /Transparency >>',
          '/Resources << /ExtGState << /G1 << /BM /Difference >> >> >>',
        ),
      ],
    }),
  },
  {
    title: 'Lines of a group that is drawn where lines are not seen are seen',
    why: 'Within a group lines are opaque to begin with; the reviewer’s reader forgets it (11.6.6).',
    bytes: withState(
      '/CA 0',
      '/G1 gs /X Do',
      [formOf('30 w 40 40 120 120 re S', GROUP, BARE)],
      '/XObject << /X 6 0 R >>',
    ),
    isChanged: true,
  },
  ...['<< /S /Unheard >>', '<< /I true >>', '<< >>'].map((group): AmbiguousFile => ({
    title: `A form with the group ${group} is drawn as a group`,
    why: 'It is one to the reviewer’s reader, and none to others (11.6.6).',
    bytes: withState(
      '/ca .3',
      '/G1 gs /X Do',
      [formOf('0 g 20 20 100 160 re f 80 20 100 160 re f', `/Group ${group}`, BARE)],
      '/XObject << /X 6 0 R >>',
    ),
  })),
  unlike(
    'Letters whose outlines are more opaque than they are',
    'The reviewer’s reader draws outlines of letters as opaque as areas (11.6.4.4).',
    withState('/ca 0 /CA 1', '/G1 gs 10 w 1 Tr BT /F1 150 Tf 40 40 Td (H) Tj ET'),
  ),
  unlike(
    'Lines of tiles that are more opaque than areas',
    'All but the reviewer’s reader draw them as opaque as areas (11.6.4.4).',
    withState('/ca 1 /CA 0', '/G1 gs /Pattern CS /P SCN 40 w 20 100 m 180 100 l S', [TILE], '/Pattern << /P 6 0 R >>'),
  ),
  ...['/Pattern cs /P scn 20 20 160 160 re f', '/Pattern cs /P scn BT /F1 150 Tf 20 50 Td (H) Tj ET'].map((content) =>
    unlike(
      `Tiles behind a mask (${content.slice(-6)})`,
      'PDFium shows nothing of them (11.5).',
      withState(MASK, `/G1 gs ${content}`, [HOLE, TILE], '/Pattern << /P 7 0 R >>'),
    ),
  ),
  unlike(
    'Forms behind a mask that are no groups',
    'PDFium masks them and each of their parts once more, so that a grey mask is darker, and one within cannot be left (11.5).',
    withState(
      MASK,
      '/G1 gs /X Do',
      [HOLE, formOf('/N gs 0 g 20 20 160 160 re f', '', '/Resources << /ExtGState << /N << /SMask /None >> >> >>')],
      '/XObject << /X 7 0 R >>',
    ),
  ),
  unlike(
    'Masks that are drawn without any extent',
    'The reviewer’s reader masks nothing then, others all (11.5.2).',
    withState(MASK, `/G1 gs ${SQUARE}`, [formOf('1 g 60 60 80 80 re f', `${GROUP} /Matrix [0 0 0 0 0 0]`, BARE)]),
  ),
  unlike(
    'Translucent letters with colours of their own',
    'The reviewer’s reader draws them opaque (9.6.4).',
    withDrawnLetter('/ca 0', '1000 0 d0 0 g 0 0 1000 1000 re f'),
  ),
  unlike(
    'Lines in letters that are less opaque than areas',
    'Only the reviewer’s reader tells one from the other there (11.6.4.4).',
    withDrawnLetter('/CA 0', '1000 0 0 0 1000 1000 d1 200 w 0 500 m 1000 500 l S'),
  ),
  {
    title: 'Translucent letters without colours of their own are as translucent to all',
    why: 'Some readers draw letters by operators opaque (9.6.4).',
    bytes: withDrawnLetter('/ca .5 /CA .5', '1000 0 0 0 1000 1000 d1 0 0 1000 1000 re f'),
    outcome: { words: 'a' },
  },
  {
    title: 'Tiles in a group behind a mask are masked alike',
    why: 'Within the group nothing is masked (11.6.6).',
    bytes: withState(
      MASK,
      '/G1 gs /X Do',
      [HOLE, formOf('/Pattern cs /P scn 20 20 160 160 re f', GROUP, '/Resources << /Pattern << /P 8 0 R >> >>'), TILE],
      '/XObject << /X 7 0 R >>',
    ),
  },
  ...[
    ['40 w -32768 -32768 m 32768 32768 l S', 'A line from corner to corner'],
    ['0 g 20 20 m 10000000 20 10000000 180 20 180 c f', 'A curve'],
    ['1 g 1000 0 0 1000 0 0 cm -40 -40 m 40 40 l 41 40 l -39 -40 l f', 'An area'],
  ].map(([path, what]): AmbiguousFile => ({
    title: `${what!} that goes far beyond any page is not copied`,
    why: 'PDFium loses what has ends beyond 32,767 pixels, the reviewer’s reader what goes on for millions (annex C).',
    bytes: makeSmallPage({ content: `${say('Seen')} ${path}` }),
    outcome: 'unlike',
  })),
  {
    title: 'A cut as wide as can be said is one to all',
    why: 'Programs cut to all that there is (annex C).',
    bytes: makeSmallPage({ content: `-1000000 -1000000 2000000 2000000 re W n ${say('Seen')}` }),
    outcome: { words: 'Seen' },
  },
]
