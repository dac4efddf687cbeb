/** A program of Type 1 (Adobe Type 1 Font Format), with glyphs of its own. */
export interface SmallType1 {
  glyphs: readonly Type1Glyph[]
  /** Names by code; the standard encoding when absent. */
  encoding?: Readonly<Record<number, string>> | undefined
  /** In the place of the line that says which encoding it has. */
  encodingText?: string | undefined
  matrix?: string
  box?: string
  /** Behind the head, before what is encrypted. */
  more?: string
  subroutines?: readonly Buffer[]
  /** In the private dictionary. */
  secret?: string
  /** Instead of `/CharStrings`. */
  list?: string
  isHex?: boolean
}

export interface Type1Glyph {
  name: string
  outline: Buffer
}

const FONT_KEY = 55_665
const GLYPH_KEY = 4330

function encrypt(plain: Buffer, start: number): Buffer {
  let key = start
  return Buffer.from(
    plain.map((byte) => {
      const cipher = byte ^ (key >> 8)
      key = ((cipher + key) * 52_845 + 22_719) & 0xffff
      return cipher
    }),
  )
}

function writeNumber(value: number): number[] {
  if (value >= -107 && value <= 107) return [value + 139]
  return [255, (value >> 24) & 0xff, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]
}

/** A glyph of operators and numbers. */
export const writeType1Outline = (
  ...parts: readonly (number | readonly [operator: number, escaped?: number])[]
): Buffer =>
  Buffer.from(
    parts.flatMap((part) => (typeof part === 'number' ? writeNumber(part) : part.filter((byte) => byte !== undefined))),
  )

export const boxOfType1 = (left: number, bottom: number, right: number, top: number, width = 1000): Buffer =>
  writeType1Outline(
    0,
    width,
    [13],
    left,
    bottom,
    [21],
    right - left,
    [6],
    top - bottom,
    [7],
    left - right,
    [6],
    [9],
    [14],
  )

export const writeGlyph = (outline: Buffer): string => {
  const cipher = encrypt(Buffer.concat([Buffer.alloc(4), outline]), GLYPH_KEY).toString('latin1')
  return `${cipher.length} RD ${cipher}`
}

/** @returns the program, and how long its three parts are. */
export function makeSmallType1(font: SmallType1): { program: Buffer; lengths: [number, number, number] } {
  const {
    glyphs,
    encoding,
    matrix = '[0.001 0 0 0.001 0 0]',
    box = '{0 0 1000 1000}',
    more = '',
    subroutines = [],
    secret = '',
    list,
    isHex,
  } = font
  const own =
    font.encodingText ??
    (encoding === undefined
      ? '/Encoding StandardEncoding def'
      : `/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n${Object.entries(encoding)
          .map(([code, name]) => `dup ${code} /${name} put\n`)
          .join('')}readonly def`)
  const head =
    `%!PS-AdobeFont-1.0: Small 1.0\n11 dict begin\n/FontInfo 1 dict dup begin\n/FullName (Small) readonly def\nend readonly def\n` +
    `/FontName /Small def\n/PaintType 0 def\n/FontType 1 def\n/FontMatrix ${matrix} readonly def\n${own}\n/FontBBox ${box} readonly def\n${more}` +
    'currentdict end\ncurrentfile eexec\n'
  const listed =
    list ??
    `2 index /CharStrings ${glyphs.length} dict dup begin\n${glyphs.map(({ name, outline }) => `/${name} ${writeGlyph(outline)} ND\n`).join('')}end\n`
  const plain =
    'dup /Private 9 dict dup begin\n/RD {string currentfile exch readstring pop} executeonly def\n/ND {noaccess def} executeonly def\n' +
    `/NP {noaccess put} executeonly def\n/BlueValues [] def\n/MinFeature {16 16} def\n/password 5839 def\n${secret}` +
    (subroutines.length === 0
      ? ''
      : `/Subrs ${subroutines.length} array\n${subroutines.map((outline, i) => `dup ${i} ${writeGlyph(outline)} NP\n`).join('')}ND\n`) +
    `${listed}end\nreadonly put\nnoaccess put\ndup /FontName get exch definefont pop\nmark currentfile closefile\n`
  const cipher = encrypt(Buffer.concat([Buffer.from('abcd'), Buffer.from(plain, 'latin1')]), FONT_KEY)
  const middle = isHex === true ? Buffer.from(cipher.toString('hex').replaceAll(/.{64}/g, '$&\n')) : cipher
  const foot = Buffer.from(`${`${'0'.repeat(64)}\n`.repeat(8)}cleartomark\n`)
  return {
    program: Buffer.concat([Buffer.from(head, 'latin1'), middle, foot]),
    lengths: [head.length, middle.length, foot.length],
  }
}
