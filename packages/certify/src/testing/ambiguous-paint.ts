import { type AmbiguousFile, formOf, makeSmallPage, say, SQUARE, streamOf } from './ambiguous-file.ts'

const INVERT = '<< /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>'
const TO_BLACK = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0 0 1] /N 1 >>'
const GROUP = '/Group << /S /Transparency /CS /DeviceRGB >>'

const withState = (state: string, content: string, more: string[] = [], resources = ''): Buffer =>
  makeSmallPage({ content: `/G1 gs ${content}`, resources: `/ExtGState << /G1 << ${state} >> >> ${resources}`, more })

const image = (entries: string, data: string): string => streamOf(data, `/Type /XObject /Subtype /Image ${entries}`)

/** One image over most of the page, as object 6. */
const withImage = (entries: string, data: string, more: string[] = [], before = '', resources = ''): Buffer =>
  makeSmallPage({
    content: `${before} q 160 0 0 160 20 20 cm /Im Do Q`,
    resources: `/XObject << /Im 6 0 R >> ${resources}`,
    more: [image(entries, data), ...more],
  })

/** Colours, masks, patterns and images: the same operators, and another picture from reader to reader. */
export const AMBIGUOUS_PAINT: readonly AmbiguousFile[] = [
  {
    title: 'A transfer function is heeded',
    why: 'It is for printers; readers of screens heed it for fills, most for gradients (10.5).',
    bytes: withState('/TR 6 0 R', SQUARE, [INVERT]),
  },
  {
    title: 'A second transfer function counts before the first',
    why: 'Readers heed one, the other or neither (8.4.5).',
    bytes: withState('/TR /Identity /TR2 [6 0 R 6 0 R 6 0 R 6 0 R]', SQUARE, [INVERT]),
  },
  {
    title: 'Halftones, black generation and undercolour removal are left out',
    why: 'They are for printers; Ghostscript heeds them on screens too (10.6, 10.4).',
    bytes: withState(
      '/HT << /Type /Halftone /HalftoneType 1 /Frequency 2 /Angle 0 /SpotFunction /Round /TransferFunction 6 0 R >> /BG2 6 0 R /UCR2 6 0 R',
      `${SQUARE} 0 0 0 .5 k 0 0 30 30 re f`,
      [INVERT],
    ),
  },
  {
    title: 'Inks that should overprint each other cover each other',
    why: 'Simulating overprint is a choice of the reader (8.6.7).',
    bytes: withState('/OP true /op true /OPM 1', '0 0 0 1 k 20 20 160 160 re f 0 0 0 0 k 60 60 80 80 re f'),
  },
  {
    title: 'A spot colour that should overprint covers what is under it',
    why: 'Readers that simulate plates let what is under it show (8.6.6.4, 8.6.7).',
    bytes: withState(
      '/OP true /op true /OPM 0',
      '0 0 0 1 k 20 20 160 160 re f /Spot cs 0 scn 60 60 80 80 re f',
      [TO_BLACK],
      '/ColorSpace << /Spot [/Separation /Gold /DeviceCMYK 6 0 R] >>',
    ),
  },
  {
    title: 'The spot colours All and None are drawn alike',
    why: 'None must leave no mark whatever its alternate says; some readers use the alternate (8.6.6.4).',
    bytes: makeSmallPage({
      content: '/All cs 1 scn 20 20 60 160 re f /None cs 1 scn 120 20 60 160 re f',
      resources:
        '/ColorSpace << /All [/Separation /All /DeviceCMYK 6 0 R] /None [/Separation /None /DeviceCMYK 6 0 R] >>',
      more: [TO_BLACK],
    }),
  },
  {
    title: 'A soft mask by luminosity masks alike, also outside of its group',
    why: 'Outside of the group its backdrop counts; readers forget it (11.5.3).',
    bytes: withState('/SMask << /S /Luminosity /G 6 0 R /BC [1 1 1] >>', SQUARE, [
      formOf('0 g 60 60 80 80 re f', `/BBox [60 60 140 140] ${GROUP}`),
    ]),
  },
  {
    title: 'A soft mask by alpha masks alike',
    why: 'Some readers take the luminosity of every mask (11.5.2).',
    bytes: withState('/SMask << /S /Alpha /G 6 0 R >>', SQUARE, [formOf('0 g 60 60 80 80 re f', GROUP)]),
  },
  {
    title: 'A soft mask left set at the end masks nothing that is drawn after the page',
    why: 'The state of a page reaches its annotations in readers that do not reset it (8.4.1).',
    bytes: makeSmallPage({
      content: `${SQUARE} /G1 gs`,
      resources: '/ExtGState << /G1 << /SMask << /S /Luminosity /G 6 0 R >> >> >>',
      page: '/Annots [7 0 R]',
      more: [
        formOf('0 g 0 0 200 200 re f', GROUP),
        '<< /Type /Annot /Subtype /Stamp /Rect [0 0 200 200] /F 4 /AP << /N 8 0 R >> >>',
        formOf(say('Signed', 170)),
      ],
    }),
    outcome: { words: 'Signed' },
  },
  {
    title: 'Groups that knock out or stand alone compose alike',
    why: 'Knockout is not done by every reader (11.4.6).',
    bytes: makeSmallPage({
      content: '1 0 0 rg 0 0 200 100 re f /Fm Do',
      resources: '/XObject << /Fm 6 0 R >>',
      more: [
        formOf(
          '/G1 gs 0 0 1 rg 20 20 100 160 re f 0 1 0 rg 80 20 100 160 re f',
          '/Group << /S /Transparency /K true /I true >>',
          '/Resources << /ExtGState << /G1 << /ca 1 /BM /Normal >> >> >>',
        ),
      ],
    }),
  },
  ...[
    ['with a veil', '/ca .05', '1 g 0 60 200 80 re f'],
    ['with a veil of nothing', '/ca 0', '1 g 0 60 200 80 re f'],
    ['that multiplies', '/BM /Multiply', '1 g 0 60 200 80 re f'],
    ['with translucent lines', '/CA .5', '1 G 80 w 0 100 m 200 100 l S'],
  ].map(([what, state, paint]): AmbiguousFile => ({
    title: `A group that knocks out, ${what!} over words, is not copied`,
    why: 'Readers that know no knockout show the lower paint through the upper (11.4.6).',
    bytes: makeKnockout(`/G1 gs ${paint!}`, `/ExtGState << /G1 << ${state!} >> >>`),
    outcome: 'unlike',
  })),
  {
    title: 'A group that knocks out and names what is translucent without drawing it composes alike',
    why: 'Programs give all forms of a page the same resources (11.4.6, 7.8.3).',
    bytes: makeKnockout(
      '/In Do',
      '/ExtGState << /G1 << /ca .05 >> >> /XObject << /In 7 0 R >>',
      formOf('0 0 200 80 re f', '', '/Resources << >>'),
    ),
    outcome: { words: 'Words' },
  },
  {
    title: 'A group that knocks out with a translucent form in it is not copied',
    why: 'What is in it may be translucent, by whatever it names (11.4.6).',
    bytes: makeKnockout(
      '/In Do',
      '/XObject << /In 7 0 R >>',
      formOf('/G1 gs 1 g 0 60 200 80 re f', '', '/Resources << /ExtGState << /G1 << /ca .05 >> >> >>'),
    ),
    outcome: 'unlike',
  },
  {
    title: 'A page whose group knocks out composes as any other',
    why: 'Ghostscript knocks out there too, other readers never on a page (11.4.7).',
    bytes: makeSmallPage({
      content: `${say('Words')} /G1 gs 1 g 0 60 200 80 re f`,
      resources: '/ExtGState << /G1 << /ca .5 >> >>',
      page: '/Group << /S /Transparency /CS /DeviceRGB /K true >>',
    }),
    outcome: { words: 'Words' },
  },
  {
    title: 'The colour space of the page’s group decides nothing',
    why: 'Readers blend in the space of the group, or in that of the screen (11.6.6, 11.4.5).',
    bytes: makeSmallPage({
      content: '1 1 1 0 k 20 20 160 160 re f /G1 gs 0 0 0 1 k 60 60 80 80 re f',
      resources: '/ExtGState << /G1 << /BM /Difference >> >>',
      page: '/Group << /S /Transparency /CS /DeviceCMYK /I true >>',
    }),
  },
  {
    title: 'The colour space of a form’s group decides nothing',
    why: 'Readers blend in the space of the group, or in that of the screen (11.6.6).',
    bytes: makeSmallPage({
      content: '/Fm Do',
      resources: '/XObject << /Fm 6 0 R >>',
      more: [
        formOf(
          '1 1 1 0 k 20 20 160 160 re f /G1 gs 0 0 0 1 k 60 60 80 80 re f',
          '/Group << /S /Transparency /CS /DeviceCMYK /I true >>',
          '/Resources << /ExtGState << /G1 << /BM /Difference >> >> >>',
        ),
      ],
    }),
  },
  {
    title: 'A list of blend modes is read alike, and so is one that nobody knows',
    why: 'The first known mode of a list counts; some readers know no lists (11.3.5).',
    bytes: withState('/BM [/Unheard /Multiply]', '0 1 0 rg 20 20 160 160 re f 1 0 0 rg 60 60 80 80 re f'),
  },
  {
    title: 'Default colour spaces are left out',
    why: 'Poppler, PDFium and printers replace plain colours by them, the reviewer’s reader does not (8.6.5.6).',
    bytes: makeSmallPage({
      content: `0 g 20 20 60 160 re f 0 0 0 rg 80 20 60 160 re f 0 0 0 1 k 140 20 60 160 re f`,
      resources:
        '/ColorSpace << /DefaultGray [/Separation /A /DeviceGray 6 0 R] /DefaultRGB [/DeviceN [/A /B /C] /DeviceRGB 7 0 R] ' +
        '/DefaultCMYK [/DeviceN [/A /B /C /D] /DeviceRGB 8 0 R] >>',
      more: [
        '<< /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >>',
        streamOf('{pop pop pop 1 1 1}', '/FunctionType 4 /Domain [0 1 0 1 0 1] /Range [0 1 0 1 0 1]'),
        streamOf('{pop pop pop pop 1 1 1}', '/FunctionType 4 /Domain [0 1 0 1 0 1 0 1] /Range [0 1 0 1 0 1]'),
      ],
    }),
  },
  {
    title: 'Rendering intents change no more than shades',
    why: 'Readers without colour management pass over them (8.6.5.8).',
    bytes: withState('/RI /Saturation', `/AbsoluteColorimetric ri ${SQUARE} /Unheard ri`),
  },
  {
    title: 'Flatness and smoothness beyond all bounds take nothing away',
    why: 'A flatness of hundreds of pixels makes curves into lines where it is heeded (10.7.2).',
    bytes: withState(
      '/FL 100 /SM 1 /SA true',
      '100 i 0 g 100 180 m 144 180 180 144 180 100 c 180 56 144 20 100 20 c 56 20 20 56 20 100 c 20 144 56 180 100 180 c f',
    ),
  },
  {
    title: 'An image whose range is turned around is turned around for all',
    why: 'Decoding by range is forgotten for images of masks, palettes or inks (8.9.5.2).',
    bytes: withImage('/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Decode [1 0]', '\x00\xff'),
  },
  {
    title: 'A stencil painted with a gradient shows the gradient',
    why: 'Readers paint it black where they know only plain colours (8.9.6.2).',
    bytes: withImage(
      '/Width 8 /Height 1 /ImageMask true /BitsPerComponent 1 /Decode [1 0]',
      '\xf0',
      [
        '<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [20 0 180 0] ' +
          '/Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >> >>',
      ],
      '/Pattern cs /P1 scn',
      '/Pattern << /P1 7 0 R >>',
    ),
  },
  {
    title: 'A mask by colour hides the same colours',
    why: 'The range is of raw values before decoding; some readers compare what is decoded (8.9.6.4).',
    bytes: withImage(
      '/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Decode [1 0] /Mask [0 10]',
      '\x00\xff',
    ),
  },
  {
    title: 'Few pixels drawn large are the same picture with or without smoothing',
    why: 'Smoothing is a wish that readers grant or not (8.9.5.3).',
    bytes: withImage(
      '/Width 32 /Height 32 /BitsPerComponent 8 /ColorSpace /DeviceGray /Interpolate true',
      `${'\x00'.repeat(16)}${'\xff'.repeat(16)}`.repeat(32),
    ),
  },
  {
    title: 'An image of sixteen bits is drawn by the upper eight',
    why: 'Some readers take its bytes for those of an image twice as wide (8.9.5.1).',
    bytes: withImage('/Width 2 /Height 1 /BitsPerComponent 16 /ColorSpace /DeviceGray', '\x00\xff\xff\x00'),
  },
  {
    title: 'Pixels beyond the end of a palette have its last colour',
    why: 'Values out of range are clamped, zero, or what stands behind in memory (8.6.6.3).',
    bytes: withImage(
      '/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB 1 <00FF00 FF0000>]',
      '\x00\xf0',
    ),
  },
  {
    title: 'A gradient that goes on beyond one of its ends is drawn alike',
    why: 'Where it ends, paper or the last colour shows (8.7.4.5.3).',
    bytes: makeSmallPage({
      content: '/Sh sh',
      resources: '/Shading << /Sh 6 0 R >>',
      more: [
        '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [60 0 140 0] /Domain [0 1] /Extend [true false] ' +
          '/Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >>',
      ],
    }),
  },
  {
    title: 'The background of a gradient that is drawn by an operator is left out',
    why: 'It counts for patterns only; the reviewer’s reader paints it for the operator too (8.7.4.3).',
    bytes: makeSmallPage({
      content: '/Sh sh',
      resources: '/Shading << /Sh 6 0 R >>',
      more: [
        '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [60 0 140 0] /Background [0 0 0] ' +
          '/Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >>',
      ],
    }),
    isChanged: true,
  },
  ...[
    [
      '0',
      'A pattern of steps of no width',
      'Zero is forbidden; readers draw nothing, one tile, or the box as step (8.7.3.1).',
    ],
    ['32767', 'A pattern of giant steps', 'Readers draw one tile, or none where they cannot hold it (8.7.3.1).'],
    ['-40', 'A pattern of negative steps', 'Readers take the amount, or draw nothing (8.7.3.1).'],
  ].map(([step, title, why]) => ({
    title: step === '0' ? `${title} is not copied` : `${title} is drawn alike`,
    why: why!,
    bytes: makeSmallPage({
      content: '/Pattern cs /P1 scn 0 0 200 200 re f',
      resources: '/Pattern << /P1 6 0 R >>',
      more: [
        streamOf(
          '0 g 0 0 20 40 re f',
          `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 40 40] /XStep ${step} /YStep ${step} /Resources << >>`,
        ),
      ],
    }),
    outcome: step === '0' ? ('unlike' as const) : undefined,
  })),
  {
    title: 'Pictures for printers and of newspapers’ proxies are left out',
    why: 'A reader may show or print an alternate, and a server replaces proxies (8.9.5.4, PDF 1.7 14.11.7).',
    bytes: withImage(
      '/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Alternates [<< /Image 7 0 R /DefaultForPrinting true >>] ' +
        '/OPI << /2.0 << /Type /OPI /Version 2.0 /F (big.tif) >> >>',
      '\x00',
      [image('/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray', '\xff')],
    ),
  },
  ...Object.entries({
    'without steps in one direction': '/BBox [0 0 10 10] /XStep 10',
    'without extent': '/BBox [0 0 0 0] /XStep 10 /YStep 10',
    'too thin to be seen': '/BBox [0 0 10 .05] /XStep 10 /YStep 10',
  }).map(([what, entries]): AmbiguousFile => ({
    title: `Tiles ${what} are not copied`,
    why: 'The reviewer’s reader paints all with them or nothing, others a part (8.7.3.1).',
    bytes: makeSmallPage({
      content: `${say('Seen')} /Pattern cs /P1 scn 0 0 200 200 re f`,
      resources: '/Pattern << /P1 6 0 R >>',
      more: [
        streamOf(
          '1 g 0 0 10 10 re f',
          `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 ${entries} /Resources << >>`,
        ),
      ],
    }),
    outcome: 'unlike',
  })),
  {
    title: 'A gradient that is a pattern hides the same for all readers, whatever its box',
    why: 'The reviewer’s reader heeds the box only where the gradient does not begin at the origin (8.7.4.3).',
    bytes: makeSmallPage({
      content: `${say('Seen', 160)} ${SQUARE} /Pattern cs /P1 scn 30 30 140 140 re f`,
      resources: '/Pattern << /P1 6 0 R >>',
      more: [
        '<< /Type /Pattern /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 200 0] /BBox [0 0 60 60] ' +
          '/Function << /FunctionType 2 /Domain [0 1] /C0 [.8] /C1 [1] /N 1 >> >> >>',
      ],
    }),
    outcome: { words: 'Seen' },
  },
]

/** Words in a group that knocks out, and what is drawn over them. @param more Object 7 and on. */
function makeKnockout(over: string, resources: string, ...more: string[]): Buffer {
  const group = '/Group << /S /Transparency /K true >>'
  return makeSmallPage({
    content: '/Fm Do',
    resources: '/XObject << /Fm 6 0 R >>',
    more: [formOf(`${say('Words')} ${over}`, group, `/Resources << /Font << /F1 5 0 R >> ${resources} >>`), ...more],
  })
}
