import type { PdfDict, PdfStream } from '@libpdf/core'
import { listLetters } from '../fonts/list-glyphs.ts'
import { type Operator, readOperators } from '../layers/content-operators.ts'
import type { ObjectStore } from '../pdf/object-store.ts'
import { decodeContent } from '../pdf/read-content.ts'

const MAX_LETTER_BYTES = 16 << 20
const PERHAPS = /(?:^|[\s\0])(?:S|s|B\*?|b\*?|Tr)(?=[\s\0]|$)/
const LINES = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
/** Modes of text that draw outlines (ISO 32000-2 table 104). */
const OUTLINES = /^[1256]/

const known = new WeakMap<PdfStream, boolean>()

/** Whether a font that draws its letters has lines in some that take their colour from the text. */
export function hasLines(store: ObjectStore, font: PdfDict | undefined): boolean {
  return font !== undefined && listLetters(store, font).some((letter) => hasPlainLines(store, letter))
}

function hasPlainLines(store: ObjectStore, letter: PdfStream): boolean {
  const before = known.get(letter)
  if (before !== undefined) return before
  const content = Buffer.from(decodeContent(store, letter, MAX_LETTER_BYTES) ?? [])
  const operators = PERHAPS.test(content.toString('latin1')) ? [...readOperators(content)] : []
  const found = operators.some(({ name }) => name === 'd1') && operators.some(isLine)
  known.set(letter, found)
  return found
}

const isLine = ({ name, operands }: Operator): boolean =>
  LINES.has(name) || (name === 'Tr' && OUTLINES.test(operands[0]?.text ?? ''))
