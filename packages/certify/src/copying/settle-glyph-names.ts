import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { Refusal } from '../errors.ts'
import { decryptType1 } from '../fonts/decrypt-type1.ts'
import { ENCODINGS, findCommonName } from '../fonts/latin-glyphs.ts'
import { findProgram } from '../fonts/find-program.ts'
import { readDifferences } from '../fonts/read-differences.ts'
import { nameOf, numberOf, type ObjectStore, type PdfObject, readNumber, resolveObject } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

const MAX_PROGRAM_BYTES = 64 << 20
const SIMPLE = new Set(['Type1', 'MMType1'])
/** That all readers know. */
const BASES = new Set(['WinAnsiEncoding', 'MacRomanEncoding', 'MacExpertEncoding'])
const SYMBOLIC = 4
/** A glyph called by the number of its character. */
const BY_NUMBER = /^u(?:ni)?[\dA-F]{4,6}$/
const MISSING = '.notdef'

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Says of each code of an embedded font of Type 1 or its compact form which glyph it has, where readers choose otherwise (ISO 32000-2 table
 * 112): without an encoding some take that of the program, the reviewer's the standard one; and it alone finds glyphs
 * that are asked for by the number of their character by their common names. Of TrueType fonts see `settleFontMaps`.
 */
export function settleGlyphNames(store: ObjectStore, fonts: readonly PdfDict[]): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  // many fonts may share a program
  const texts = new Map<PdfStream, string>()
  for (const font of fonts) {
    const kind = resolve(font.get('Subtype'))
    const descriptor = resolve(font.get('FontDescriptor'))
    if (!(kind instanceof PdfName && SIMPLE.has(kind.value)) || !(descriptor instanceof PdfDict)) continue
    const program = findProgram(descriptor, resolve)
    if (program === undefined) continue
    const encoding = resolve(font.get('Encoding'))
    const base = resolve(encoding instanceof PdfDict ? encoding.get('BaseEncoding') : encoding)
    const given =
      encoding instanceof PdfDict ? readDifferences(resolve(encoding.get('Differences')), resolve) : undefined
    const isSymbolic = ((readNumber(descriptor.get('Flags'), resolve) ?? 0) & SYMBOLIC) !== 0
    const isChosen = isSymbolic || (base instanceof PdfName && BASES.has(base.value))
    const names = new Map(isChosen ? [] : ENCODINGS.StandardEncoding.map((name, code) => [code, name || MISSING]))
    for (const [code, name] of given ?? []) names.set(code, name)
    const isRenamed = renameNumbers(names, () => {
      const text = texts.get(program) ?? readProgramText(store, program)
      texts.set(program, text)
      return text
    })
    if (isChosen && !isRenamed) continue
    const settled = PdfDict.of({ Type: nameOf('Encoding'), Differences: writeDifferences(names) })
    if (isChosen && base !== undefined) settled.set('BaseEncoding', base)
    font.set('Encoding', settled)
  }
}

/** @returns whether there were any that the program does not know. */
function renameNumbers(names: Map<number, string>, readProgram: () => string): boolean {
  const asked = [...names].filter(([, name]) => BY_NUMBER.test(name))
  if (asked.length === 0) return false
  const known = readProgram()
  const missing = asked.filter(([, name]) => !known.includes(name))
  for (const [code, name] of missing) names.set(code, findCommonName(name) ?? MISSING)
  return missing.length > 0
}

/** With the names of its glyphs. @throws Refusal where it cannot be unpacked. */
function readProgramText(store: ObjectStore, stream: PdfStream): string {
  const bytes = decodeContent(store, stream, MAX_PROGRAM_BYTES)
  if (bytes === undefined) throw new Refusal('unreadable', 'a font that cannot be unpacked')
  const program = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return program.toString('latin1') + decryptType1(program).toString('latin1')
}

function writeDifferences(names: ReadonlyMap<number, string>): PdfArray {
  const list = new PdfArray()
  let next = -1
  for (const [code, name] of [...names].toSorted(([a], [b]) => a - b)) {
    if (code !== next) list.push(numberOf(code))
    list.push(nameOf(name))
    next = code + 1
  }
  return list
}
