import { type AmbiguousFile, formOf, makeSmallPage, say, streamOf } from './ambiguous-file.ts'

/** One line for each point of a height. */
const forEachLine = (write: (y: number) => string): string =>
  Array.from({ length: 110 }, (_, i) => write(30 + i)).join(' ')

const STENCIL = streamOf('\0', '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 1 /ImageMask true')

const makePage = (
  content: string,
  objects: { resources: string; more: string[] } = { resources: '', more: [] },
): Buffer => makeSmallPage({ content: `${say('Seen', 160)} ${content}`, ...objects })
const withForm = (content: string): { resources: string; more: string[] } => ({
  resources: '/XObject << /Fm 6 0 R >>',
  more: [formOf(content)],
})

const PIXEL_WIDE = 'Readers draw a rectangle at least a pixel wide, pdf.js as faint as it is thin (10.7.4).'

/** Areas so thin that some readers show nothing of them, and others a line. */
export const AMBIGUOUS_AREAS: AmbiguousFile[] = [
  {
    title: 'Rectangles without height are painted nowhere',
    why: PIXEL_WIDE,
    bytes: makePage(forEachLine((y) => `20 ${y}.3 140 0 re f`)),
    outcome: { words: 'Seen' },
  },
  {
    title: 'Rectangles without height in a form are painted nowhere',
    why: PIXEL_WIDE,
    bytes: makePage('/Fm Do', withForm(forEachLine((y) => `20 ${y}.3 140 0 re f*`))),
    outcome: { words: 'Seen' },
  },
  {
    title: 'Lines that are filled are painted nowhere',
    why: 'PDFium draws lines without area as such when they are filled, others do not (8.5.3.3.1).',
    bytes: makePage(forEachLine((y) => `20 ${y}.3 m 160 ${y}.3 l h F 20 ${y}.7 m 160 ${y}.7 l 20 ${y}.7 l f`)),
    outcome: { words: 'Seen' },
  },
  {
    title: 'The edge of an area without height is drawn alike',
    why: PIXEL_WIDE,
    bytes: makePage('.5 w 1 0 0 RG 0 0 1 rg 20 100 140 0 re B 20 60 140 0 re b* 40 20 60 30 re B'),
    outcome: { words: 'Seen' },
  },
  {
    title: 'A rectangle too thin to be seen is refused',
    why: PIXEL_WIDE,
    bytes: makePage('20 100 140 .02 re f'),
    outcome: 'refused',
  },
  {
    title: 'A rectangle that is squeezed too thin is refused',
    why: PIXEL_WIDE,
    bytes: makePage('q 140 0 0 .01 20 100 cm 0 0 1 1 re f Q'),
    outcome: 'refused',
  },
  {
    title: 'A rectangle in a form that is squeezed too thin is refused',
    why: PIXEL_WIDE,
    bytes: makePage('q 1 0 0 .01 0 100 cm /Fm Do Q', withForm('20 0 140 1 re f')),
    outcome: 'refused',
  },
  {
    title: 'A rule in a form that is drawn large enough is drawn alike',
    why: PIXEL_WIDE,
    bytes: makePage('q 140 0 0 100 20 20 cm /Fm Do Q', withForm('0 0 1 .02 re f 0 .5 1 .3 re f')),
    outcome: { words: 'Seen' },
  },
  {
    title: 'What is cut to a rectangle too thin to be seen is refused',
    why: 'Readers cut to whole pixels, pdf.js does not (8.5.4).',
    bytes: makePage('q 20 100 140 .01 re W n 0 0 200 200 re f Q'),
    outcome: 'refused',
  },
  {
    title: 'Words that are cut to a rectangle without height are refused',
    why: 'Readers cut to whole pixels, pdf.js does not (8.5.4).',
    bytes: makePage('q 20 100 140 0 re W n BT /F1 200 Tf 0 40 Td (H) Tj ET Q'),
    outcome: 'refused',
  },
  {
    title: 'A cut to nothing within which nothing is drawn is taken',
    why: 'Readers cut to whole pixels, pdf.js does not (8.5.4).',
    bytes: makePage('q 20 100 140 0 re W n Q 40 20 60 30 re f'),
    outcome: { words: 'Seen' },
  },
  {
    title: 'A stencil too thin to be seen is refused',
    why: 'Readers paint a stencil at least a pixel wide, pdf.js as faint as it is thin (8.9.6.2).',
    bytes: makePage('q 140 0 0 .01 20 100 cm /Im Do Q', { resources: '/XObject << /Im 6 0 R >>', more: [STENCIL] }),
    outcome: 'refused',
  },
  {
    title: 'A stencil among operators too thin to be seen is refused',
    why: 'Readers paint a stencil at least a pixel wide, pdf.js as faint as it is thin (8.9.6.2).',
    bytes: makePage('q 140 0 0 .01 20 100 cm BI /W 1 /H 1 /IM true ID \0 EI Q'),
    outcome: 'refused',
  },
  {
    title: 'Rectangles too small to be seen, each by itself, are refused',
    why: PIXEL_WIDE,
    bytes: makePage(Array.from({ length: 40 }, (_, i) => `${20 + 3 * i} 100 .1 .1 re f`).join(' ')),
    outcome: 'refused',
  },
  {
    title: 'A rectangle too small to be seen that is drawn again and again is refused',
    why: PIXEL_WIDE,
    bytes: makePage(
      Array.from({ length: 40 }, (_, i) => `q 1 0 0 1 ${20 + 3 * i} 100 cm /Fm Do Q`).join(' '),
      withForm('0 0 .1 .1 re f'),
    ),
    outcome: 'refused',
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
    title: 'A letter drawn by a rectangle that is thin for its length is refused',
    why: PIXEL_WIDE,
    bytes: makeSmallPage({
      content: `${say('Seen', 160)} BT /T3 1 Tf (a) Tj ET`,
      resources: '/Font << /F1 5 0 R /T3 6 0 R >>',
      more: [
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 200 200] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 ' +
          '/Widths [200] /Encoding << /Differences [97 /a] >> /CharProcs << /a 7 0 R >> /Resources << >> >>',
        streamOf('200 0 d0 20 100 140 .02 re f'),
      ],
    }),
    outcome: 'refused',
  },
]
