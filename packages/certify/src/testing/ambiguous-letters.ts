import { deflateSync } from 'node:zlib'
import { COMPACT_FONT, turnCapitals } from './compact-font.ts'
import { type AmbiguousFile, formOf, makeSmallPage, say, streamOf } from './ambiguous-file.ts'

/** The code of each letter of the word, counted from 1, and what it is said to mean. */
const meaning = (words: string): string =>
  streamOf(
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ' +
      `${words.length} beginbfchar ${[...words].map((letter, i) => `<${hex(i + 1)}> <${hex(letter.charCodeAt(0))}>`).join(' ')} ` +
      'endbfchar endcmap end end',
  )

const hex = (number: number): string => number.toString(16).padStart(4, '0')

/** Text in a composite font that is not there. */
const withNumbers = (
  count: number,
  { more, encoding = '/Identity-H', ordering = 'Identity' }: { more?: string; encoding?: string; ordering?: string },
): Buffer =>
  makeSmallPage({
    content: `BT /F2 24 Tf 20 100 Td <${Array.from({ length: count }, (_, i) => hex(i + 1)).join('')}> Tj ET`,
    resources: '/Font << /F2 6 0 R >>',
    more: [
      `<< /Type /Font /Subtype /Type0 /BaseFont /Arial /Encoding ${encoding} /DescendantFonts [7 0 R] ${more === undefined ? '' : '/ToUnicode 9 0 R'} >>`,
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Arial /DW 700 /FontDescriptor 8 0 R ' +
        `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >> >>`,
      '<< /Type /FontDescriptor /FontName /Arial /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>',
      ...(more === undefined ? [] : [more]),
    ],
  })

/** A page with one drawn letter, and what is set before it. */
const withDrawn = (glyph: string, set = '', resources = '/Font << /F1 5 0 R >>'): Buffer =>
  makeSmallPage({
    content: `${set} BT /T3 1 Tf (a) Tj ET`,
    resources: '/Font << /F1 5 0 R /T3 6 0 R >> /Pattern << /P1 << /PatternType 2 /Shading 9 0 R >> >>',
    more: [
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 200 200] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [200] ' +
        `/Encoding << /Differences [97 /a] >> /CharProcs << /a 7 0 R >> /Resources << ${resources} >> >>`,
      streamOf(glyph),
      streamOf(
        '\x00\x80',
        '/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
      ),
      '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 200 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> >>',
      formOf('1 0 0 rg 20 20 100 100 re f'),
    ],
  })

/** Text in an embedded font of the compact form of Type 1. */
const withCompact = (program: Buffer, flags: number, encoding: string, text: string): Buffer =>
  makeSmallPage({
    content: `BT /F2 40 Tf 20 100 Td ${text} Tj ET`,
    resources: '/Font << /F2 6 0 R >>',
    more: [
      `<< /Type /Font /Subtype /Type1 /BaseFont /Serif /FirstChar 32 /LastChar 126 /Widths [${'667 '.repeat(95)}] ${encoding} /FontDescriptor 7 0 R >>`,
      `<< /Type /FontDescriptor /FontName /Serif /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 /Flags ${flags} /FontFile3 8 0 R >>`,
      streamOf(deflateSync(program).toString('latin1'), '/Subtype /Type1C /Filter /FlateDecode'),
    ],
  })

const PLAIN = '200 0 0 0 200 200 d1'

/** Letters of fonts that are not there, and of fonts that draw their letters. */
export const AMBIGUOUS_LETTERS: readonly AmbiguousFile[] = [
  ...['', '/Encoding /StandardEncoding', '/Encoding << /Differences [80 /P] >>'].map((encoding): AmbiguousFile => ({
    title: `A font of Latin letters with ${encoding || 'no encoding'} has the usual letters, whatever its program says`,
    why: 'Some readers take the codes of the program, the reviewer’s the standard ones (9.6.5.2).',
    bytes: withCompact(turnCapitals(3), 32, encoding, '(FADE)'),
    outcome: { words: 'FADE' },
    // what is drawn stays; the words were those of the program
    isChanged: true,
  })),
  {
    title: 'A letter beyond ASCII in a font without an encoding is one of the standard encoding',
    why: 'PDFium takes the codes of Windows (9.6.5.2).',
    bytes: withCompact(COMPACT_FONT, 32, '', '(A\\341)'),
    outcome: { words: 'AÆ' },
    isChanged: true,
  },
  {
    title: 'A letter that is asked for by the number of its character is the one of the common name',
    why: 'The reviewer’s reader alone finds it by that name (9.6.5.2).',
    bytes: withCompact(COMPACT_FONT, 4, '/Encoding << /Differences [65 /uni0042 /u0043] >>', '(AB)'),
    outcome: { words: 'BC' },
  },
  {
    title: 'A composite font that is not there has our letters, by what its codes are said to mean',
    why: 'Each reader takes another font, and letters of it by the numbers of glyphs or by their meaning (9.7.5.2).',
    bytes: withNumbers(6, { more: meaning('Käufer') }),
    outcome: { words: 'Käufer' },
    isChanged: true,
  },
  {
    title: 'A minus that a font calls a soft hyphen is drawn alike',
    why: 'Programs call it so where both are the same glyph (9.10.3).',
    bytes: withNumbers(5, { more: meaning('\u00ad5,15') }),
    outcome: { words: '\u00ad5,15' },
    isChanged: true,
  },
  {
    title: 'A ligature of a font that is not there is one of ours, or a mark, not its first letter',
    why: 'A code may mean several letters (9.10.3).',
    bytes: withNumbers(4, {
      more: meaning('o??e')
        .replace('<0002> <003f>', '<0002> <006600660069>')
        .replace('<0003> <003f>', '<0003> <00630078>'),
    }),
    outcome: { words: 'officxe' },
    isChanged: true,
  },
  {
    title: 'A composite font that is not there and does not say what its codes mean is not copied',
    why: 'Each reader takes another font, and letters of it by the numbers of glyphs (9.7.5.2).',
    bytes: withNumbers(6, {}),
    outcome: 'unlike',
  },
  {
    title: 'A composite font with the codes of a collection that it is not of is not copied',
    why: 'Readers take the number for one of the collection or of the font (9.7.5.2).',
    bytes: withNumbers(6, { more: meaning('Sample'), encoding: '/UniJIS-UCS2-H' }),
    outcome: 'unlike',
  },
  ...['GB1', 'KR'].map((ordering): AmbiguousFile => ({
    title: `A font of the collection ${ordering} with the codes of another is not copied`,
    why: 'Readers take the number for one of the one or the other (9.7.5.2).',
    bytes: withNumbers(6, { more: meaning('Sample'), encoding: '/UniJIS-UCS2-H', ordering }),
    outcome: 'unlike',
  })),
  ...[
    ['width', '30 w', '200 0 d0 20 100 m 150 100 l S'],
    ['colour', '1 G', '200 0 d0 10 w 20 100 m 150 100 l S'],
    ['ends', '2 J', '200 0 d0 30 w 50 100 m 100 100 l S'],
    ['dashes', '[10 10] 0 d', '200 0 d0 20 w 20 100 m 150 100 l S'],
  ].map(([what, set, glyph]): AmbiguousFile => ({
    title: `A drawn letter has lines of its own, not the ${what} of what stands around it`,
    why: 'PDFium lets it take over nothing (9.6.4).',
    bytes: withDrawn(glyph!, set),
    outcome: { words: 'a' },
    isChanged: true,
  })),
  {
    title: 'Words within a drawn letter are set as by themselves',
    why: 'PDFium lets them take over nothing from the text around (9.6.4).',
    bytes: withDrawn(`200 0 d0 ${say('Seen')}`, '40 Ts 5 Tc 40 Tz'),
    outcome: { words: 'a' },
    isChanged: true,
  },
  ...[
    ['an image', `${PLAIN} q 100 0 0 100 20 20 cm /Im Do Q`, '/XObject << /Im 8 0 R >>'],
    ['an image among its operators', `${PLAIN} q 100 0 0 100 20 20 cm BI /W 2 /H 1 /BPC 8 /CS /G ID \x00\x80 EI Q`, ''],
    ['a gradient', `${PLAIN} /Sh sh`, '/Shading << /Sh 9 0 R >>'],
    ['a form', `${PLAIN} /Fm Do`, '/XObject << /Fm 10 0 R >>'],
    ['another opacity', `${PLAIN} /G gs 20 20 100 100 re f`, '/ExtGState << /G << /ca .2 >> >>'],
  ].map(([what, glyph, resources]): AmbiguousFile => ({
    title: `A drawn letter without colours of its own that has ${what} is not copied`,
    why: 'Some readers leave it out, some show its colours (9.6.4).',
    bytes: withDrawn(glyph!, '', resources),
    outcome: 'unlike',
  })),
  {
    title: 'Drawn letters with a pattern are not copied',
    why: 'Each reader fills them in its own way (9.6.4).',
    bytes: withDrawn(`${PLAIN} 20 20 100 100 re f`, '/Pattern cs /P1 scn'),
    outcome: 'unlike',
  },
  {
    title: 'A font that a graphics state chooses is not copied',
    why: 'PDFium heeds none (8.4.5).',
    bytes: makeSmallPage({
      content: 'BT /F1 24 Tf 20 100 Td /G1 gs (1234) Tj ET',
      resources: '/ExtGState << /G1 << /Font [6 0 R 24] >> >>',
      more: [
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [49 /nine /eight /seven /six] >> >>',
      ],
    }),
    outcome: 'unlike',
  },
  ...Object.entries({
    'of a page': ['BT /F1 80 Tf 7 Tr 20 60 Td (H) Tj 0 Tr ET 0 0 200 200 re f', ''],
    'of a form that is drawn where letters are cut to': [
      'q 7 Tr /Fm Do Q',
      'BT /F1 80 Tf 20 60 Td (H) Tj 0 Tr ET 0 0 200 200 re f',
    ],
  }).map(([where, [content = '', form = '']]): AmbiguousFile => ({
    title: `Letters ${where} that are cut to cut for all readers, whatever is chosen before their text ends`,
    why: 'PDFium cuts where the mode at the end of the text cuts, others where that of the letters does (9.3.6).',
    bytes: makeSmallPage({ content, resources: '/XObject << /Fm 6 0 R >>', more: [formOf(form)] }),
    outcome: { words: 'H' },
  })),
  {
    title: 'Letters that are cut to before others of their text are not copied',
    why: 'PDFium cuts where the mode at the end of the text cuts, others where that of the letters does (9.3.6).',
    bytes: makeSmallPage({ content: 'BT /F1 80 Tf 7 Tr 20 60 Td (H) Tj 0 Tr (H) Tj ET 0 0 200 50 re f' }),
    outcome: 'unlike',
  },
]
