import { type AmbiguousFile, makeSmallPage, streamOf } from './ambiguous-file.ts'
import { makeSmallFont, type SmallMap } from './small-font.ts'

const map = (platform: number, encoding: number, glyphs: SmallMap['glyphs']): SmallMap => ({
  platform,
  encoding,
  glyphs,
})

/** Text of the codes A and B, or others, in a font that is embedded. */
function withFont(options: {
  maps: readonly SmallMap[]
  flags: number
  encoding?: string
  names?: readonly string[]
  text?: string
  more?: string
  /** Where the program stands. */
  entry?: string
  subtype?: string
  objects?: string[]
  /** Of the program. */
  filter?: string
  /** The program is written in hexadecimal digits. */
  isHex?: boolean
}): Buffer {
  const {
    maps,
    flags,
    encoding = '',
    names,
    text = '(AB)',
    more = '',
    entry = 'FontFile2',
    subtype = 'TrueType',
    objects = [],
    filter = '',
    isHex = false,
  } = options
  const plain = makeSmallFont(maps, names)
  const program = isHex ? `${plain.toString('hex')}>` : plain.toString('latin1')
  return makeSmallPage({
    content: `BT /F2 80 Tf 20 80 Td ${text} Tj ET`,
    resources: '/Font << /F2 6 0 R >>',
    more: [
      `<< /Type /Font ${subtype === '' ? '' : `/Subtype /${subtype}`} /BaseFont /ABCDEF+Boxes /FirstChar 1 /LastChar 255 /Widths [${'1000 '.repeat(255)}] ` +
        `${encoding === '' ? '' : `/Encoding ${encoding}`} /FontDescriptor 7 0 R ${more} >>`,
      `<< /Type /FontDescriptor /FontName /ABCDEF+Boxes /Flags ${flags} /ItalicAngle 0 /Ascent 900 /Descent 0 /StemV 80 /CapHeight 900 ` +
        `/FontBBox [0 0 900 900] /${entry} 8 0 R >>`,
      streamOf(program, `/Length1 ${plain.length} ${filter}`),
      ...objects,
    ],
  })
}

const NAMED = '/WinAnsiEncoding'

/** Fonts that are embedded: which glyph a code has is not the same for every reader. */
export const AMBIGUOUS_FONTS: readonly AmbiguousFile[] = [
  {
    title: 'A font for symbols whose maps disagree shows the glyphs of one',
    why: 'Some readers take the map for symbols, some that for Macintosh (9.6.5.4).',
    bytes: withFont({ flags: 4, maps: [map(1, 0, { 65: 1, 66: 2 }), map(3, 0, { 0xf041: 2, 0xf042: 1 })] }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A font for symbols with an encoding is read by the codes or by the names, and shows one of both',
    why: 'The encoding is to be passed over; some readers heed it (9.6.5.4).',
    bytes: withFont({ flags: 4, encoding: NAMED, maps: [map(1, 0, { 65: 1, 66: 2 }), map(3, 1, { 65: 2, 66: 1 })] }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A font for symbols with an encoding and a map to Unicode alone shows one glyph for a letter beyond ASCII',
    why: 'Some readers look up the code, others the character that the encoding means (9.6.5.4).',
    bytes: withFont({
      flags: 4,
      encoding: NAMED,
      maps: [map(3, 1, { 65: 3, 0x8a: 1, 0x160: 2 })],
      text: '(A\\212)',
    }),
    outcome: { words: 'AŠ' },
  },
  {
    title: 'A font whose map to Unicode and whose map for Macintosh disagree shows the glyphs of one',
    why: 'With MacRomanEncoding some readers take the map for Macintosh (9.6.5.4).',
    bytes: withFont({
      flags: 32,
      encoding: '/MacRomanEncoding',
      maps: [map(1, 0, { 65: 1, 66: 2 }), map(3, 1, { 65: 2, 66: 1 })],
    }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A font whose filters stand elsewhere in the file is settled as any other',
    why: 'Some readers take the map for symbols, some that for Macintosh (9.6.5.4).',
    bytes: withFont({
      flags: 4,
      maps: [map(1, 0, { 65: 1, 66: 2 }), map(3, 0, { 0xf041: 2, 0xf042: 1 })],
      filter: '/Filter [9 0 R]',
      isHex: true,
      objects: ['/ASCIIHexDecode'],
    }),
    outcome: { words: 'AB' },
  },
  ...['/Filter /Crypt', '/Filter [/Crypt]'].map((filter): AmbiguousFile => ({
    title: `A font that cannot be unpacked, with ${filter}, is not copied`,
    why: 'Some readers unpack what others cannot, and choose glyphs by maps that nobody has looked at (7.4.10).',
    bytes: withFont({
      flags: 4,
      maps: [map(1, 0, { 65: 1, 66: 2 }), map(3, 0, { 0xf041: 2, 0xf042: 1 })],
      filter,
    }),
    outcome: 'unlike',
  })),
  {
    title: 'Symbols with and without an offset show the glyphs of one',
    why: 'Codes stand in such a map as they are, or behind an offset; here both (9.6.5.4).',
    bytes: withFont({ flags: 4, maps: [map(3, 0, { 65: 1, 66: 2, 0xf041: 2, 0xf042: 1 })] }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A glyph that is in a single map and found by some readers is shown by all or none',
    why: 'Some readers look in the names of the glyphs where a map has nothing, others do not (9.6.5.4).',
    bytes: withFont({ flags: 4, maps: [map(3, 0, { 0xf041: 2 })], names: ['B', 'C', 'D'] }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A code that the map says has no glyph is shown by all readers or none',
    why: 'Some readers look in the names of the glyphs then, others believe the map (9.6.5.4).',
    bytes: withFont({ flags: 4, encoding: NAMED, maps: [map(1, 0, { 65: 0, 66: 2 })], names: ['A', 'B', 'C'] }),
    outcome: { words: 'AB' },
  },
  {
    title: 'Glyphs whose names are more or fewer than they are, are shown by all readers or none',
    why: 'Some readers believe the names nevertheless (OpenType, post).',
    bytes: withFont({ flags: 4, encoding: NAMED, maps: [map(3, 0, { 0xf041: 2 })], names: ['B', 'C'] }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A glyph that is named by the number of a character is shown by all readers',
    why: 'The reviewer’s reader knows numbers only of characters that have a name (Adobe Glyph List, section 2).',
    bytes: withFont({
      flags: 32,
      encoding: '<< /Differences [65 /uni021B] >>',
      maps: [map(3, 1, { 0x21b: 1, 66: 2 })],
    }),
    outcome: { words: 'țB' },
    isChanged: true,
  },
  {
    title: 'A ligature that the glyphs have a name for stays one',
    why: 'Some readers take the first character of what is said of it elsewhere (9.6.5.4, 9.10.3).',
    bytes: withFont({
      flags: 32,
      encoding: '<< /BaseEncoding /MacRomanEncoding /Differences [222 /f_i] >>',
      maps: [map(1, 0, { 65: 3 }), map(3, 1, { 65: 3, 0x66: 2 })],
      names: ['f_i', 'f', 'A'],
      text: '(A\\336)',
      more: '/ToUnicode 9 0 R',
      objects: [
        streamOf(
          '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange ' +
            '2 beginbfchar <41> <0041> <DE> <00660069> endbfchar endcmap end end',
        ),
      ],
    }),
    outcome: { words: 'Afi' },
  },
  {
    title: 'A code without a name is shown by all readers or none',
    why: 'Some readers look the code itself up where the encoding has no name for it (9.6.5.4).',
    bytes: withFont({
      flags: 32,
      encoding: NAMED,
      maps: [map(3, 1, { 1: 1, 65: 2 })],
      text: '(\\001A)',
      more: '/ToUnicode 9 0 R',
      objects: [
        streamOf(
          '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def 1 begincodespacerange <00> <FF> endcodespacerange ' +
            '2 beginbfchar <01> <0058> <41> <0041> endbfchar endcmap end end',
        ),
      ],
    }),
    outcome: { words: 'XA' },
  },
  {
    title: 'A font with a map twice shows the glyphs of the first',
    why: 'Some readers take the last of two maps of one kind (OpenType, cmap).',
    bytes: withFont({
      flags: 32,
      encoding: NAMED,
      maps: [map(3, 1, { 65: 1, 66: 2 }), map(3, 1, { 65: 2, 66: 1 })],
    }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A font that says two different things by names and codes of letters beyond ASCII shows one',
    why: 'The base of an encoding with differences alone is Standard to some readers, WinAnsi to others (9.6.5.4).',
    bytes: withFont({
      flags: 32,
      encoding: '<< /Differences [65 /A] >>',
      maps: [map(3, 1, { 0x27: 1, 0x2019: 2, 65: 3 })],
      text: "(A')",
    }),
    outcome: { words: 'A’' },
  },
  {
    title: 'A font whose program is of another kind than is said of it is of the kind of the program',
    why: 'Some readers choose glyphs as for the kind that is said, by names, others as for the program (9.9).',
    bytes: withFont({
      flags: 4,
      subtype: 'Type1',
      entry: 'FontFile3',
      encoding: NAMED,
      maps: [map(1, 0, { 65: 1, 66: 2 }), map(3, 1, { 65: 2, 66: 1 })],
      names: ['B', 'A', 'C'],
    }),
    outcome: { words: 'AB' },
  },
  {
    title: 'A font whose maps agree keeps them',
    why: 'Most fonts have several (9.6.5.4).',
    bytes: withFont({
      flags: 32,
      encoding: NAMED,
      maps: [map(1, 0, { 65: 1, 66: 2 }), map(3, 1, { 65: 1, 66: 2 })],
    }),
    outcome: { words: 'AB' },
  },
]
