import { PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { Disagreement, Refusal } from '../errors.ts'
import { findProgram, PROGRAM_ENTRIES } from '../fonts/find-program.ts'
import {
  makeStream,
  nameOf,
  numberOf,
  type ObjectStore,
  readNumber,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'
import { type FontProgram, readFontProgram } from '../fonts/font-program.ts'
import {
  type GlyphReading,
  hasUnlistedNumber,
  nameCode,
  readAsMacintosh,
  readAsPdfium,
  readAsPoppler,
  readAsReviewer,
  readAsStandard,
  type SimpleFont,
} from '../fonts/glyph-readings.ts'
import { readGlyphName } from '../fonts/latin-glyphs.ts'
import { readSimpleFont } from '../fonts/read-simple-font.ts'
import { writeProgram } from '../fonts/write-program.ts'

/** More than the largest fonts of all scripts have. */
const MAX_PROGRAM_BYTES = 64 << 20
/** Kinds that may be said of a font whose program is TrueType. */
const SIMPLE = new Set(['TrueType', 'Type1', 'MMType1'])
/** Where a program stands says what it is to some readers, others look. */
const SYMBOLIC = 4
const NONSYMBOLIC = 32

/**
 * Gives codes one glyph where readers may choose different ones: a TrueType font can hold several maps, and which of them counts,
 * by codes or by names, each reader decides in its own way (ISO 32000-2 section 9.6.5.4). The glyphs are those that the reviewer's
 * reader shows. Fonts that all read alike stay as they are.
 * @throws Refusal `unreadable` where it cannot be told which glyphs these are, or a font cannot be unpacked.
 */
export function settleFontMaps(store: ObjectStore, fonts: readonly PdfDict[]): void {
  const programs = new Map<PdfStream, FontProgram | undefined>()
  for (const font of fonts) {
    const subtype = resolveObject(store, font.get('Subtype'))
    const descriptor = resolveObject(store, font.get('FontDescriptor'))
    if (!(subtype instanceof PdfName) || !SIMPLE.has(subtype.value) || !(descriptor instanceof PdfDict)) continue
    const stream = findProgram(descriptor, (object) => resolveObject(store, object))
    if (stream === undefined) continue
    const program = programs.has(stream) ? programs.get(stream) : readProgram(store, stream)
    programs.set(stream, program)
    if (program === undefined) continue
    // what it is, is what readers find in it
    if (subtype.value !== 'TrueType') font.set('Subtype', nameOf('TrueType'))
    settleFont(store, font, descriptor, program)
  }
}

/** @throws Refusal `unreadable` where it cannot be unpacked: others may unpack it. */
function readProgram(store: ObjectStore, stream: PdfStream): FontProgram | undefined {
  const bytes = decodeContent(store, stream, MAX_PROGRAM_BYTES)
  if (bytes === undefined) throw new Refusal('unreadable', 'a font that cannot be unpacked')
  return readFontProgram(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
}

function settleFont(store: ObjectStore, font: PdfDict, descriptor: PdfDict, program: FontProgram): void {
  const simple = readSimpleFont(store, font, descriptor, program)
  const reviewed = readAsReviewer(simple)
  const others = [readAsPdfium(simple), readAsPoppler(simple), readAsStandard(simple), readAsMacintosh(simple)]
  const isUnsure = program.isOdd || hasUnlistedNumber(simple)
  if (!isUnsure && others.every((glyphs) => lookAlike(program, reviewed, glyphs))) return
  checkNames(simple, reviewed)
  // where the reviewer's reader has no glyph it shows nothing, others the sign of a missing one
  const blank = program.findBlank()
  const bytes = writeProgram(
    program,
    reviewed.map((glyph) => glyph || blank),
  )
  const settled = new PdfDict()
  for (const [key, value] of descriptor) if (!PROGRAM_ENTRIES.includes(key.value)) settled.set(key.value, value)
  const flags = readNumber(descriptor.get('Flags'), (object) => resolveObject(store, object)) ?? 0
  settled.set('Flags', numberOf((flags | SYMBOLIC) & ~NONSYMBOLIC))
  settled.set('FontFile2', registerObject(store, makeStream({ Length1: numberOf(bytes.length) }, bytes)))
  font.set('FontDescriptor', registerObject(store, settled))
  if (!font.has('ToUnicode')) font.set('ToUnicode', registerObject(store, makeToUnicode(simple, reviewed)))
  font.delete('Encoding')
}

/** @throws Refusal `unreadable` where a letter would be lost since its name is in no list that is known here. */
function checkNames({ differences }: SimpleFont, glyphs: GlyphReading): void {
  for (const [code, name] of differences ?? [])
    if (glyphs[code] === 0 && name !== '.notdef' && readGlyphName(name) === undefined)
      throw new Disagreement('a font whose maps readers choose among, with glyphs of unknown names')
}

/** What is not there and what is empty look alike. */
function lookAlike(program: FontProgram, glyphs: GlyphReading, others: GlyphReading): boolean {
  return glyphs.every((glyph, code) => {
    const other = others[code]!
    return glyph === other || program.findOutline(glyph).equals(program.findOutline(other))
  })
}

/** What the names of the codes mean, for those who search and copy (ISO 32000-2 section 9.10.3). */
function makeToUnicode(font: SimpleFont, glyphs: GlyphReading): PdfStream {
  const pairs = glyphs.flatMap((glyph, code) => {
    const character = glyph === 0 ? undefined : readGlyphName(nameCode(font, code))
    return character === undefined ? [] : [`<${hex(code, 2)}> <${hex(character, 4)}>`]
  })
  // a list has at most 100 entries
  const lists: string[] = []
  for (let at = 0; at < pairs.length; at += 100) {
    const some = pairs.slice(at, at + 100)
    lists.push(`${some.length} beginbfchar\n${some.join('\n')}\nendbfchar`)
  }
  return makeStream(
    { Type: nameOf('CMap') },
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Settled def\n/CMapType 2 def\n' +
      `1 begincodespacerange\n<00> <FF>\nendcodespacerange\n${lists.join('\n')}\nendcmap\nend\nend\n`,
  )
}

/** Characters beyond 16 bits have no names in fonts that simple. */
const hex = (value: number, digits: number): string => (value & 0xffff).toString(16).padStart(digits, '0').toUpperCase()
