import { type AmbiguousFile, makeSmallPage, streamOf } from './ambiguous-file.ts'
import { makeSmallFont } from './small-font.ts'

const PROGRAM = makeSmallFont([{ platform: 3, encoding: 1, glyphs: { 65: 1, 66: 2, 67: 3 } }]).toString('latin1')
const UNICODE =
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <0000> <FFFF> endcodespacerange ' +
  '3 beginbfchar <0005> <0041> <0006> <0042> <0007> <0043> endbfchar endcmap end end'

/** Text of the codes 5 and 6 in a composite font with a map of its own, whose glyphs 1, 2 and 3 are boxes. */
function withMap(options: {
  map: string
  text?: string
  unicode?: string
  /** Of the glyphs. */
  widths?: string
  place?: string
}): Buffer {
  const { map, text = '<00050006>', unicode = UNICODE, widths = '/DW 1000', place = '20 80 Td' } = options
  return makeSmallPage({
    content: `BT /F2 80 Tf ${place} ${text} Tj ET`,
    resources: '/Font << /F2 6 0 R >>',
    more: [
      `<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Boxes /Encoding 10 0 R /DescendantFonts [7 0 R] ` +
        `/ToUnicode 11 0 R >>`,
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Boxes ' +
        `${widths} ` +
        '/CIDToGIDMap /Identity /FontDescriptor 8 0 R ' +
        '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
      '<< /Type /FontDescriptor /FontName /ABCDEF+Boxes /Flags 4 /ItalicAngle 0 /Ascent 900 /Descent 0 /StemV 80 /CapHeight 900 ' +
        '/FontBBox [0 0 900 900] /FontFile2 9 0 R >>',
      streamOf(PROGRAM, `/Length1 ${PROGRAM.length}`),
      streamOf(
        `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 1 def\n${map}\nendcmap end end`,
        '/Type /CMap /CMapName /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>',
      ),
      streamOf(unicode),
    ],
  })
}

const SPACE = '1 begincodespacerange <0000> <FFFF> endcodespacerange'
const NUMBERS = '2 begincidchar <0005> 1 <0006> 2 endcidchar'

/** Composite fonts with maps of their own: which glyph a code has is not the same for every reader. */
export const AMBIGUOUS_CODE_MAPS: readonly AmbiguousFile[] = [
  {
    title: 'A map of codes to the glyphs of a font is heeded',
    why: 'Many programs write such a map (9.7.5.3).',
    bytes: withMap({ map: `${SPACE} ${NUMBERS}` }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A map of codes that adds to that of the codes themselves is written out',
    why: 'Some readers pass over what a map adds to (9.7.5.3).',
    bytes: withMap({
      map: `/Identity-H usecmap ${SPACE} 1 begincidchar <0005> 3 endcidchar`,
      text: '<00050002>',
      unicode: UNICODE.replace('<0006> <0042>', '<0002> <0042>'),
    }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A map of codes that adds to another is not copied',
    why: 'Some readers pass over what a map adds to (9.7.5.3).',
    bytes: withMap({ map: `/UniJIS-UCS2-H usecmap ${SPACE} ${NUMBERS}` }),
    outcome: 'unlike',
  },
  {
    title: 'A map of codes that names a code twice shows one glyph for it',
    why: 'Nothing says which counts (9.7.5.3).',
    bytes: withMap({ map: `${SPACE} ${NUMBERS} 1 begincidrange <0005> <0006> 2 endcidrange` }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A map of codes with characters among its numbers is not copied',
    why: 'The reviewer’s reader follows the characters, others the numbers (9.7.5.3).',
    bytes: withMap({ map: `${SPACE} ${NUMBERS} 2 beginbfchar <0005> <0002> <0006> <0001> endbfchar` }),
    outcome: 'unlike',
  },
  {
    title: 'A map of codes that does not say how long they are is not copied',
    why: 'Some readers divide the text into bytes then, others into pairs (9.7.6.2).',
    bytes: withMap({ map: NUMBERS }),
    outcome: 'unlike',
  },
  {
    title: 'A map with codes of another length than it says is not copied',
    why: 'Some readers divide the text as the map says, others as its codes are (9.7.6.2).',
    bytes: withMap({
      map: `1 begincodespacerange <00> <FF> endcodespacerange ${NUMBERS} 2 begincidchar <05> 2 <06> 1 endcidchar`,
    }),
    outcome: 'unlike',
  },
  {
    title: 'Short codes beside long ones are told apart by their first byte',
    why: 'A text can be divided in one way only (9.7.6.2).',
    bytes: withMap({
      map: `2 begincodespacerange <20> <20> <0000> <19FF> endcodespacerange 3 begincidchar <0005> 1 <0020> 3 <0006> 2 endcidchar`,
      text: '<0005200006>',
      unicode: UNICODE.replace('<0007> <0043>', '<0020> <0043>'),
    }),
    outcome: { words: 'ACB' },
  },
  {
    title: 'A map whose codes can be divided in two ways is not copied',
    why: 'Some readers look for the shortest code, others for the longest (9.7.6.2).',
    bytes: withMap({ map: `2 begincodespacerange <00> <20> <0000> <FFFF> endcodespacerange ${NUMBERS}` }),
    outcome: 'unlike',
  },
  ...['/DW null', '/DW (x)'].map((widths): AmbiguousFile => ({
    title: `Glyphs whose usual width is none, ${widths}, are a thousand wide`,
    why: 'Some readers take nothing then (9.7.4.3).',
    bytes: withMap({ map: `${SPACE} ${NUMBERS}`, widths }),
    outcome: { words: 'AB' },
  })),
  {
    title: 'Glyphs of a composite font have whole thousandths for widths, so that a long text ends in one place',
    why: 'PDFium cuts off fractions (9.7.4.3).',
    bytes: withMap({
      map: `${SPACE} ${NUMBERS} 1 begincidchar <0009> 0 endcidchar`,
      text: `<${'0009'.repeat(1000)}> Tj <0006>`,
      unicode: UNICODE.replace('<0007> <0043>', '<0009> <0020>'),
      widths: '/DW 1000 /W [0 [0.6] 2 4 900.5]',
    }),
    outcome: { words: 'B' },
    isChanged: true,
  },
  {
    title: 'The usual width of glyphs is a whole number',
    why: 'Poppler takes a thousand for others (9.7.4.3).',
    bytes: withMap({ map: `${SPACE} ${NUMBERS}`, widths: '/DW 500.25' }),
    outcome: { words: 'AB' },
  },
  ...['-1 [500] 1 [0.6]', '1 [null 500]', '1 [(x) 500]', '1.5 [500]', 'null 1 [500]', '1 [[500] 600]'].map(
    (list): AmbiguousFile => ({
      title: `Widths of glyphs as in ${list} are not copied`,
      why: 'Some readers take nothing, some the usual width, some the next (9.7.4.3).',
      bytes: withMap({ map: `${SPACE} ${NUMBERS}`, widths: `/W [${list}]` }),
      outcome: 'unlike',
    }),
  ),
  ...[
    '/DW2 [880]',
    '/DW2 [(x) -900]',
    '/W2 [1 [-500 250]]',
    '/W2 [1 [null 0 0]]',
    '/W2 [1 [-500 0 0] 1 [-900 0 0]]',
  ].map((widths): AmbiguousFile => ({
    title: `Distances of glyphs downwards as in ${widths} are not copied`,
    why: 'Some readers take nothing, some what is usual, some the first of two (9.7.4.3).',
    bytes: withMap({ map: `/WMode 1 def ${SPACE} ${NUMBERS}`, widths, place: '100 180 Td' }),
    outcome: 'unlike',
  })),
]
