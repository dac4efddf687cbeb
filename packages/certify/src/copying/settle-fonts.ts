import { PdfArray, PdfDict, PdfName, PdfStream } from '@libpdf/core'
import { Disagreement } from '../errors.ts'
import { PROGRAM_ENTRIES } from '../fonts/find-program.ts'
import { nameOf, numbersOf, type ObjectStore, type PdfObject, readNumbers, resolveObject } from '../pdf/object-store.ts'

const KINDS = new Set(['Type0', 'Type1', 'MMType1', 'TrueType', 'Type3'])
/** A thousandth, as glyphs of other fonts are drawn (ISO 32000-2 section 9.6.4). */
const THOUSANDTH = [0.001, 0, 0, 0.001, 0, 0]

type Resolve = (object: PdfObject | undefined) => PdfObject | undefined

/**
 * Says of each font what kind it is, where the file does not: some readers show nothing then, some take it for another.
 * @throws Refusal `unreadable` for fonts that are nowhere.
 */
export function settleFontKinds(store: ObjectStore, fonts: readonly PdfDict[]): void {
  const resolve: Resolve = (object) => resolveObject(store, object)
  for (const font of fonts) {
    const kind = resolve(font.get('Subtype'))
    const descriptor = resolve(font.get('FontDescriptor'))
    const program = descriptor instanceof PdfDict ? keepFirstProgram(descriptor, resolve) : undefined
    if (!(kind instanceof PdfName) || !KINDS.has(kind.value)) font.set('Subtype', nameOf(guessKind(font, program)))
    else if (kind.value === 'TrueType' && isType1(descriptor, program, resolve)) font.set('Subtype', nameOf('Type1'))
    checkNamed(font, resolve)
    const isDrawn = font.has('CharProcs')
    if (isDrawn && readNumbers(font.get('FontMatrix'), resolve)?.length !== 6)
      font.set('FontMatrix', numbersOf(THOUSANDTH))
  }
}

/** Of one that is neither there nor named some readers show nothing, some the letters of another. @throws Refusal `unreadable`. */
function checkNamed(font: PdfDict, resolve: Resolve): void {
  const kind = resolve(font.get('Subtype'))
  const name = kind instanceof PdfName ? kind.value : ''
  const below = resolve(font.get('DescendantFonts'))
  const isThere =
    name === 'Type0'
      ? below instanceof PdfArray && resolve(below.at(0)) instanceof PdfDict
      : name === 'Type3' || font.has('FontDescriptor') || resolve(font.get('BaseFont')) instanceof PdfName
  if (!isThere) throw new Disagreement('a font that is neither there nor named')
}

function guessKind(font: PdfDict, program: string | undefined): string {
  if (font.has('DescendantFonts')) return 'Type0'
  if (font.has('CharProcs')) return 'Type3'
  return program === 'FontFile2' ? 'TrueType' : 'Type1'
}

/** Of several programs each reader takes another. @returns the entry of the one that stays. */
function keepFirstProgram(descriptor: PdfDict, resolve: Resolve): string | undefined {
  const [first, ...others] = PROGRAM_ENTRIES.filter((key) => resolve(descriptor.get(key)) instanceof PdfStream)
  for (const key of others) descriptor.delete(key)
  return first
}

function isType1(descriptor: PdfObject | undefined, program: string | undefined, resolve: Resolve): boolean {
  if (program === 'FontFile') return true
  if (program !== 'FontFile3' || !(descriptor instanceof PdfDict)) return false
  const stream = resolve(descriptor.get('FontFile3'))
  const subtype = stream instanceof PdfStream ? resolve(stream.get('Subtype')) : undefined
  return subtype instanceof PdfName && subtype.value === 'Type1C'
}
