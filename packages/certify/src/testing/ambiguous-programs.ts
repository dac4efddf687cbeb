import { type AmbiguousFile, makeSmallPage, streamOf } from './ambiguous-file.ts'
import { boxOutline, makeSmallCompact, type SmallCompact, writeOutline } from './small-compact.ts'
import { makeSmallFont, type SmallMap } from './small-font.ts'
import { boxOfType1, makeSmallType1, type SmallType1, writeType1Outline } from './small-type1.ts'

const WIDTHS = `/FirstChar 0 /LastChar 255 /Widths [${'1000 '.repeat(256)}]`

const MEANING =
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange ' +
  '3 beginbfchar <01> <0058> <41> <0041> <42> <0042> endbfchar endcmap end end'

interface Embedded {
  program: Buffer
  entry: string
  kind: string
  encoding?: string
  flags?: number
  content?: string
}

/** Text in an embedded font. */
function withProgram(options: Embedded): Buffer {
  const { program, entry, kind, encoding = '/Encoding /WinAnsiEncoding', flags = 32 } = options
  const { content = 'BT /F2 80 Tf 20 60 Td (AB) Tj ET' } = options
  return makeSmallPage({
    content,
    resources: '/Font << /F2 6 0 R >>',
    more: [
      `<< /Type /Font /Subtype /${kind} /BaseFont /ABCDEF+Small ${WIDTHS} ${encoding} /FontDescriptor 7 0 R /ToUnicode 9 0 R >>`,
      `<< /Type /FontDescriptor /FontName /ABCDEF+Small /Flags ${flags} /ItalicAngle 0 /Ascent 900 /Descent 0 /StemV 80 /CapHeight 900 ` +
        `/FontBBox [0 0 1000 1000] /${entry} 8 0 R >>`,
      streamOf(program.toString('latin1'), entry === 'FontFile3' ? '/Subtype /Type1C' : `/Length1 ${program.length}`),
      streamOf(MEANING),
    ],
  })
}

const [FULL, FOOT, TOP, NOTHING] = [
  boxOutline(0, 0, 900, 900),
  boxOutline(0, 0, 900, 200),
  boxOutline(0, 700, 900, 900),
  writeOutline([14]),
]
const COMPACT: SmallCompact = {
  glyphs: [
    { name: '.notdef', outline: NOTHING },
    { name: 'A', outline: FULL },
    { name: 'B', outline: FOOT },
  ],
  codes: [65, 66],
}
const withCompact = (font: Partial<SmallCompact>, options: Partial<Embedded> = {}): Buffer =>
  withProgram({ program: makeSmallCompact({ ...COMPACT, ...font }), entry: 'FontFile3', kind: 'Type1', ...options })
const withGlyph = (outline: Buffer): Buffer => withCompact({ glyphs: COMPACT.glyphs.with(1, { name: 'A', outline }) })

const PLAIN = writeType1Outline(0, 1000, [13], [14])
const TYPE1: SmallType1 = {
  glyphs: [
    { name: '.notdef', outline: PLAIN },
    { name: 'A', outline: boxOfType1(0, 0, 900, 900) },
    { name: 'B', outline: boxOfType1(0, 0, 900, 200) },
  ],
  encoding: { 65: 'A', 66: 'B' },
}
const withType1 = (font: Partial<SmallType1>, options: Partial<Embedded> = {}): Buffer =>
  withProgram({ program: makeSmallType1({ ...TYPE1, ...font }).program, entry: 'FontFile', kind: 'Type1', ...options })

const MAPS: SmallMap[] = [{ platform: 3, encoding: 1, glyphs: { 65: 1, 66: 2 } }]
/** The tables of the font that a change is made to. */
function changeFont(change: (table: (tag: string) => Buffer, font: Buffer) => void): Buffer {
  const font = makeSmallFont(MAPS)
  const table = (tag: string): Buffer => {
    const entry = Array.from({ length: font.readUInt16BE(4) }, (_, i) => 12 + 16 * i).find(
      (at) => font.toString('latin1', at, at + 4) === tag,
    )!
    return font.subarray(font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 8) + font.readUInt32BE(entry + 12))
  }
  change(table, font)
  return font
}
const withTrueType = (program: Buffer, options: Partial<Embedded> = {}): Buffer =>
  withProgram({ program, entry: 'FontFile2', kind: 'TrueType', ...options })

const unlike = (title: string, why: string, bytes: Buffer): AmbiguousFile => ({
  title,
  why,
  bytes,
  outcome: 'unlike',
})

/** Programs of fonts: each reader mends their faults in its own way, or takes the letters of another font. */
export const AMBIGUOUS_PROGRAMS: readonly AmbiguousFile[] = [
  ...Object.entries({
    calculates: writeOutline(0, 0, [21], 400, 500, [12, 10], [6], 900, [7], -900, [6], [14]),
    'has operators that there are not': writeOutline(0, 0, [21], 900, [6], 900, [7], -900, [6], [2], [14]),
    'does not begin': writeOutline(900, [6], 900, [7], -900, [6], [14]),
    'goes on behind its end': writeOutline([14], 0, 0, [21], 900, [6], 900, [7], -900, [6], [14]),
    'is larger than numbers are': writeOutline(30_000, 0, [21], 30_000, 0, [21], 900, [6], 900, [7], [14]),
  }).map(([what, outline]) =>
    unlike(
      `A font with a glyph that ${what} is not copied`,
      'The reviewer’s reader shows nothing of it, or less than others (Adobe technical note 5177).',
      withGlyph(outline),
    ),
  ),
  unlike(
    'A font in the compact form that begins behind another byte is not copied',
    'Some readers look for the beginning, others take another font (Adobe technical note 5176).',
    withCompact({ lead: Buffer.from('\n') }),
  ),
  unlike(
    'A font with a glyph that is there twice is not copied',
    'Some readers take the first of that name, others the last (Adobe technical note 5176).',
    withCompact({ glyphs: [...COMPACT.glyphs, { name: 'A', outline: TOP }], codes: [65, 66, 67] }),
  ),
  unlike(
    'A font whose letters are turned by its own size is not copied',
    'Some readers move what they turn (Adobe technical note 5176).',
    withCompact({ top: [139, 30, 0xa0, 0x01, 0xff, 30, 0xea, 0x00, 0x1f, 139, 139, 139, 12, 7] }),
  ),
  unlike(
    'A font with an encoding for experts is not copied',
    'Some readers know none (ISO 32000-2 annex D.4).',
    withCompact({}, { encoding: '/Encoding /MacExpertEncoding' }),
  ),
  {
    title: 'A glyph that is missing shows nothing to any reader, whatever the font has for such',
    why: 'Some readers show it where a code has no glyph, others nothing (9.6.5.2).',
    bytes: withCompact(
      { glyphs: COMPACT.glyphs.with(0, { name: '.notdef', outline: TOP }) },
      { encoding: '', flags: 4, content: 'BT /F2 80 Tf 20 60 Td (A\\001) Tj ET' },
    ),
    outcome: { words: 'AX' },
  },
  {
    title: 'A glyph that is missing is not one whose name means the same',
    why: 'Some readers look for what a name means (9.6.5.2).',
    bytes: withCompact(
      {},
      { encoding: '/Encoding << /Differences [66 /A.small] >>', content: 'BT /F2 80 Tf 20 60 Td (AB) Tj ET' },
    ),
    outcome: { words: 'AB' },
  },
  unlike(
    'A font of Type 1 with its glyphs twice is not copied',
    'Some readers take the first, some another font (Adobe Type 1 Font Format).',
    withType1({ secret: '2 index /CharStrings 0 dict dup begin\nend\n' }),
  ),
  unlike(
    'A font of Type 1 that begins as no font does is not copied',
    'Some readers look at the beginning, and take another font (Adobe Type 1 Font Format).',
    withProgram({
      program: Buffer.from(
        makeSmallType1(TYPE1).program.toString('latin1').replace('%!PS-AdobeFont-1.0', '%!PS-Other'),
        'latin1',
      ),
      entry: 'FontFile',
      kind: 'Type1',
    }),
  ),
  unlike(
    'A font of Type 1 with a glyph of operators that there are not is not copied',
    'Some readers pass over them, others show nothing (Adobe Type 1 Font Format).',
    withType1({
      glyphs: TYPE1.glyphs.with(1, {
        name: 'A',
        outline: writeType1Outline(0, 1000, [13], [12, 17], 0, 0, [21], 900, [6], 900, [7], [9], [14]),
      }),
    }),
  ),
  {
    title: 'A font of Type 1 that names its codes twice has the last names for all readers',
    why: 'Some readers take the first (Adobe Type 1 Font Format).',
    bytes: withType1(
      {
        encodingText:
          '/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 65 /B put\ndup 66 /A put\nreadonly def\n' +
          '/Encoding StandardEncoding def',
      },
      { encoding: '', flags: 4 },
    ),
    outcome: { words: 'AB' },
  },
  {
    title: 'A glyph of Type 1 that is missing shows nothing to any reader',
    why: 'Some readers show it where a code has no glyph, others nothing (9.6.5.2).',
    bytes: withType1(
      { glyphs: TYPE1.glyphs.with(0, { name: '.notdef', outline: boxOfType1(0, 700, 900, 900) }) },
      { encoding: '', flags: 4, content: 'BT /F2 80 Tf 20 60 Td (A\\001) Tj ET' },
    ),
    outcome: { words: 'AX' },
  },
  {
    title: 'Letters are where their outlines are, wherever a list of widths says that they begin',
    why: 'Some readers move them there (OpenType, hmtx).',
    bytes: withTrueType(
      changeFont((table) => {
        table('hmtx').writeInt16BE(1000, 6)
        table('hmtx').writeInt16BE(-1000, 10)
      }),
    ),
    outcome: { words: 'AB' },
  },
  unlike(
    'A TrueType font whose glyphs lie beyond its end is not copied',
    'Some readers leave one out, others all of them (OpenType, loca).',
    withTrueType(changeFont((table) => table('loca').writeUInt16BE(30_000, 8))),
  ),
  unlike(
    'A TrueType font without units is not copied',
    'Some readers take a thousand, others another font (OpenType, head).',
    withTrueType(changeFont((table) => table('head').writeUInt16BE(0, 18))),
  ),
  unlike(
    'Letters of a font that is not there are not copied',
    'Some readers show those of another, others nothing (7.8.3).',
    makeSmallPage({ content: 'BT /Other 40 Tf 20 60 Td (HIT) Tj ET' }),
  ),
  unlike(
    'A font without a name that is not there is not copied',
    'Some readers show letters of another, others nothing (9.6.2.1).',
    makeSmallPage({
      content: 'BT /F2 40 Tf 20 60 Td (HIT) Tj ET',
      resources: '/Font << /F2 << /Type /Font /Subtype /Type1 >> >>',
    }),
  ),
  unlike(
    'Edges of letters without extent are not copied',
    'The reviewer’s reader shows nothing, others lines (9.4.4).',
    makeSmallPage({ content: '10 w 1 Tr BT /F1 60 Tf 1 1 1 1 20 80 Tm (HIT) Tj ET' }),
  ),
  unlike(
    'Edges of letters that are drawn unevenly are not copied',
    'The reviewer’s reader draws them as wide in all directions (9.3.6).',
    makeSmallPage({ content: '8 w 1 Tr 1 0 0 .01 0 0 cm BT /F1 60 Tf 1 0 0 100 20 8000 Tm (HIT) Tj ET' }),
  ),
  unlike(
    'Words that begin too far away are not copied',
    'Some readers count in single precision, and draw them elsewhere (annex C.1).',
    makeSmallPage({ content: 'BT /F1 60 Tf 20 80 Td 2000000000 0 Td -2000000000 0 Td (HIT) Tj ET' }),
  ),
]
