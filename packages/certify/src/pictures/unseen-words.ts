import { PdfArray, PdfDict } from '@libpdf/core'
import { writeTables } from '../fonts/write-tables.ts'
import { formatPoints } from '../pdf/format-points.ts'
import {
  makeStream,
  nameOf,
  numberOf,
  numbersOf,
  type ObjectStore,
  registerObject,
  textOf,
} from '../pdf/object-store.ts'
import type { PlacedWord } from './read-words.ts'

/** Thousandths of the size: how wide each letter is said to be. */
const WIDTH = 500
const UNITS = 1000
const LEAST_SIZE = 0.1
/** Least and most per cent that letters are stretched. */
const [NARROWEST, WIDEST] = [1, 10_000]
const NAME = 'Unseen'

/**
 * Operators that put words where they are seen in a picture, without ink: whoever searches, copies or listens finds them.
 * @see ISO 32000-2 section 9.3.6 (mode 3)
 */
export function writeUnseenWords(words: readonly PlacedWord[]): string {
  if (words.length === 0) return ''
  const lines = words.map(({ text, left, bottom, width, height, runs }) => {
    const [along, size] = runs === 'across' ? [width, height] : [height, width]
    const em = Math.max(size, LEAST_SIZE)
    const stretch = Math.min(WIDEST, Math.max(NARROWEST, (100 * along) / ((text.length * em * WIDTH) / UNITS)))
    const start = {
      across: `1 0 0 1 ${formatPoints(left)} ${formatPoints(bottom)}`,
      up: `0 1 -1 0 ${formatPoints(left + width)} ${formatPoints(bottom)}`,
      down: `0 -1 1 0 ${formatPoints(left)} ${formatPoints(bottom + height)}`,
    }[runs]
    const codes = Buffer.from(text, 'utf16le').swap16().toString('hex')
    return `/${NAME} ${formatPoints(em)} Tf ${formatPoints(stretch)} Tz ${start} Tm <${codes}> Tj\n`
  })
  return `BT 3 Tr\n${lines.join('')}ET\n`
}

/** The resources that such words need: a font whose letters have no outline, and whose codes are characters. */
export function registerUnseenFont(store: ObjectStore): PdfDict {
  const program = makeStream({ Length1: numberOf(BLANK.length) }, BLANK)
  const descriptor = PdfDict.of({
    Type: nameOf('FontDescriptor'),
    FontName: nameOf(NAME),
    Flags: numberOf(4),
    FontBBox: numbersOf([0, 0, WIDTH, UNITS]),
    ItalicAngle: numberOf(0),
    Ascent: numberOf(UNITS),
    Descent: numberOf(0),
    CapHeight: numberOf(UNITS),
    StemV: numberOf(80),
    FontFile2: registerObject(store, program),
  })
  const part = PdfDict.of({
    Type: nameOf('Font'),
    Subtype: nameOf('CIDFontType2'),
    BaseFont: nameOf(NAME),
    CIDSystemInfo: PdfDict.of({ Registry: textOf('Adobe'), Ordering: textOf('Identity'), Supplement: numberOf(0) }),
    FontDescriptor: registerObject(store, descriptor),
    DW: numberOf(WIDTH),
    CIDToGIDMap: registerObject(store, makeStream({}, new Uint8Array(2 << 16))),
  })
  const font = PdfDict.of({
    Type: nameOf('Font'),
    Subtype: nameOf('Type0'),
    BaseFont: nameOf(NAME),
    Encoding: nameOf('Identity-H'),
    DescendantFonts: PdfArray.of(registerObject(store, part)),
    ToUnicode: registerObject(store, makeStream({}, writeMeanings())),
  })
  return PdfDict.of({ [NAME]: registerObject(store, font) })
}

/** Each code is its character; a range must not pass the end of its row (ISO 32000-2 section 9.10.3). */
function writeMeanings(): string {
  const rows = Array.from({ length: 256 }, (_, row) => row.toString(16).padStart(2, '0'))
  const ranges = rows.map((row) => `<${row}00> <${row}ff> <${row}00>`)
  const blocks: string[] = []
  for (let from = 0; from < ranges.length; from += 100) {
    const block = ranges.slice(from, from + 100)
    blocks.push(`${block.length} beginbfrange\n${block.join('\n')}\nendbfrange\n`)
  }
  return (
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n' +
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n' +
    '/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n' +
    '1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n' +
    `${blocks.join('')}endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`
  )
}

/** A TrueType font of one glyph without an outline (OpenType, required tables). */
const BLANK = makeBlankFont()

function makeBlankFont(): Buffer {
  const head = Buffer.alloc(54)
  head.writeUInt32BE(0x00010000, 0)
  head.writeUInt32BE(0x5f0f3cf5, 12)
  head.writeUInt16BE(UNITS, 18)
  head.writeInt16BE(WIDTH, 40)
  head.writeInt16BE(UNITS, 42)
  head.writeInt16BE(1, 50)
  const hhea = Buffer.alloc(36)
  hhea.writeUInt32BE(0x00010000, 0)
  hhea.writeInt16BE(UNITS, 4)
  hhea.writeUInt16BE(WIDTH, 10)
  hhea.writeUInt16BE(1, 34)
  const maxp = Buffer.alloc(32)
  maxp.writeUInt32BE(0x00010000, 0)
  maxp.writeUInt16BE(1, 4)
  maxp.writeUInt16BE(1, 14)
  const hmtx = Buffer.alloc(4)
  hmtx.writeUInt16BE(WIDTH, 0)
  const post = Buffer.alloc(32)
  post.writeUInt32BE(0x00030000, 0)
  // some readers want a table of outlines where there is none
  const tables = { head, hhea, maxp, hmtx, post, loca: Buffer.alloc(8), glyf: Buffer.alloc(4) }
  return writeTables(new Map(Object.entries(tables)))
}
