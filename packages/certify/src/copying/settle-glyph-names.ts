import { PdfArray, PdfDict, PdfName } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { ENCODINGS, findCommonName, readGlyphName, readLatinName } from '../fonts/latin-glyphs.ts'
import { MISSING, type OutlineProgram } from '../fonts/outline-program.ts'
import { readDifferences } from '../fonts/read-differences.ts'
import {
  nameOf,
  numberOf,
  type ObjectStore,
  type PdfObject,
  readNumber,
  registerObject,
  resolveObject,
} from '../pdf/object-store.ts'
import type { Programs } from './settle-programs.ts'

const SIMPLE = new Set(['Type1', 'MMType1', 'TrueType'])
/** That all readers know. */
const BASES = { WinAnsiEncoding: ENCODINGS.WinAnsiEncoding, MacRomanEncoding: ENCODINGS.MacRomanEncoding }
const { StandardEncoding } = ENCODINGS
const SYMBOLIC = 4
const NONSYMBOLIC = 32
const LAST_CODE = 255
/** Some readers look for them by what they mean. */
const BLANK = 'space'
const BLANKS = /^(?:space|nbspace|nonbreakingspace|spacehackarabic|u(?:ni)?0020|u(?:ni)?00A0)(?:\.|$)/

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined
type Base = keyof typeof BASES

/**
 * Says of each code of an embedded font of Type 1 or its compact form which glyph it has, where readers choose otherwise (ISO 32000-2 table
 * 112): without an encoding some take that of the program, the reviewer's the standard one; it alone finds glyphs that are asked for by the
 * number of their character by their common names; and what it does not find others look for by what its name means. Of TrueType fonts
 * see `settleFontMaps`.
 * @throws Refusal `unreadable` where it cannot be told.
 */
export function settleGlyphNames(store: ObjectStore, fonts: readonly PdfDict[], programs: Programs): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  for (const font of fonts) {
    const kind = resolve(font.get('Subtype'))
    const descriptor = resolve(font.get('FontDescriptor'))
    if (!(kind instanceof PdfName && SIMPLE.has(kind.value)) || !(descriptor instanceof PdfDict)) continue
    const program = programs.find(descriptor)
    if (program === undefined) continue
    // what it is, is what readers find in it
    if (kind.value === 'TrueType') font.set('Subtype', nameOf('Type1'))
    settleEncoding(store, font, descriptor, program)
  }
}

function settleEncoding(store: ObjectStore, font: PdfDict, descriptor: PdfDict, program: OutlineProgram): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  const isSymbolic = ((readNumber(descriptor.get('Flags'), resolve) ?? 0) & SYMBOLIC) !== 0
  const encoding = resolve(font.get('Encoding'))
  const named = resolve(encoding instanceof PdfDict ? encoding.get('BaseEncoding') : encoding)
  if (named instanceof PdfName && named.value === 'MacExpertEncoding')
    throw new Disagreement('an encoding for experts, which not all readers know')
  const base = named instanceof PdfName && Object.hasOwn(BASES, named.value) ? (named.value as Base) : undefined
  const given = encoding instanceof PdfDict ? readDifferences(resolve(encoding.get('Differences')), resolve) : undefined
  const known = new Set(program.names)
  const wanted = readWanted(program, base, isSymbolic)
  for (const [code, name] of given ?? []) if (code >= 0 && code <= LAST_CODE) wanted[code] = findName(name, known)
  const final = wanted.map((name) => settleName(name, known))
  const before = (code: number): string => given?.get(code) ?? (base === undefined ? '' : BASES[base][code]!)
  const isSure = base !== undefined || (isSymbolic && named === undefined && program.hasPlainCodes)
  // for what it does not find in other fonts PDFium takes letters of its own, by what codes are said to mean
  const isWhole = isSymbolic || !font.has('ToUnicode')
  if (isSure && isWhole && final.every((name, code) => isReadAlike(name, before(code), code, program, base))) return
  font.set(
    'Encoding',
    PdfDict.of({ Type: nameOf('Encoding'), Differences: new PdfArray([numberOf(0), ...final.map(nameOf)]) }),
  )
  if (isSymbolic) return
  const settled = new PdfDict()
  for (const [key, value] of descriptor) settled.set(key.value, value)
  const flags = readNumber(descriptor.get('Flags'), resolve) ?? 0
  settled.set('Flags', numberOf((flags | SYMBOLIC) & ~NONSYMBOLIC))
  font.set('FontDescriptor', registerObject(store, settled))
}

/** The names that the reviewer's reader begins with, before those that the file gives to codes. */
function readWanted(program: OutlineProgram, base: Base | undefined, isSymbolic: boolean): string[] {
  if (base !== undefined) return [...BASES[base]]
  if (!isSymbolic) return [...StandardEncoding]
  return Array.from({ length: LAST_CODE + 1 }, (_, code) => program.codes.get(code) ?? '')
}

/** By its common name where the font does not know it. */
function findName(name: string, known: ReadonlySet<string>): string {
  if (known.has(name)) return name
  const common = findCommonName(name)
  return common !== undefined && known.has(common) ? common : name
}

/** What is not there is named as missing, but for a blank that nobody finds by what it means: it is needed to divide words. */
function settleName(name: string, known: ReadonlySet<string>): string {
  if (known.has(name)) return name
  const isBlank = name === BLANK && ![...known].some((other) => BLANKS.test(other))
  return isBlank ? BLANK : MISSING
}

/** Whether readers come to the glyph of that name by what the file says. */
function isReadAlike(
  name: string,
  before: string,
  code: number,
  { names, codes }: OutlineProgram,
  base: Base | undefined,
): boolean {
  if (before !== '') {
    if (before === name) return true
    // one that is missing is not found by what it means where all others have plain names
    return name === MISSING && readLatinName(before) !== undefined && names.every(isPlain)
  }
  if (base === undefined && codes.get(code) === name) return true
  // some readers take the standard name of a code that has none
  return name === MISSING && !names.includes(StandardEncoding[code] || MISSING + code)
}

const isPlain = (name: string): boolean =>
  name === MISSING || readLatinName(name) !== undefined || (readGlyphName(name) === undefined && !name.includes('.'))
