import { PdfDict, PdfStream } from '@libpdf/core'
import { isShowing } from '../drawing/follow-letters.ts'
import type { Paint } from '../drawing/read-paint.ts'
import { readDifferences } from '../fonts/read-differences.ts'
import { readOperators } from '../layers/content-operators.ts'
import { type ObjectStore, type PdfObject, resolveObject } from '../pdf/object-store.ts'

/** Letters that fonts draw by operators, each as often as content shows it: the reviewer's reader draws it anew each time. */
export function* listShownLetters(
  store: ObjectStore,
  content: Buffer,
  { drawnFonts }: Paint,
): Generator<PdfStream, void> {
  if (drawnFonts.size === 0) return
  const fonts = new Map([...drawnFonts].map(([name, font]) => [name, readLetters(store, font)]))
  const saved: (string | undefined)[] = []
  let chosen: string | undefined
  for (const { name, operands } of readOperators(content)) {
    if (name === 'q') saved.push(chosen)
    else if (name === 'Q') chosen = saved.pop()
    else if (name === 'Tf') chosen = operands.findLast(({ kind }) => kind === 'name')?.text
    const letters = isShowing(name) && chosen !== undefined ? fonts.get(chosen) : undefined
    const text = operands.at(-1)
    if (letters === undefined || text === undefined) continue
    for (const code of readCodes(content, text.start, text.end)) {
      const letter = letters.get(code)
      if (letter !== undefined) yield letter
    }
  }
}

/** By code. What is only named otherwise no copy has: its codes are given names before. */
function readLetters(store: ObjectStore, font: PdfDict): Map<number, PdfStream> {
  const resolve = (object: PdfObject | undefined) => resolveObject(store, object)
  const [list, encoding] = [resolve(font.get('CharProcs')), resolve(font.get('Encoding'))]
  const names = encoding instanceof PdfDict ? readDifferences(resolve(encoding.get('Differences')), resolve) : undefined
  const letters = new Map<number, PdfStream>()
  for (const [code, name] of names ?? []) {
    const letter = list instanceof PdfDict ? resolve(list.get(name)) : undefined
    if (letter instanceof PdfStream) letters.set(code, letter)
  }
  return letters
}

/** Of a string, or a list of some; ISO 32000-2 section 7.3.4. */
function* readCodes(content: Buffer, from: number, to: number): Generator<number> {
  for (let at = from; at < to; at++) {
    if (content[at] === 0x3c) {
      const end = Math.min(to, content.indexOf(0x3e, at) + 1 || to)
      yield* Buffer.from(content.toString('latin1', at + 1, end - 1).replaceAll(/[\s\0]/g, ''), 'hex')
      at = end - 1
    } else if (content[at] === 0x28) at = yield* readLiteral(content, at + 1, to)
  }
}

const ESCAPED: Record<number, number> = { 0x6e: 10, 0x72: 13, 0x74: 9, 0x62: 8, 0x66: 12 }
const isOctal = (byte: number | undefined): byte is number => byte !== undefined && byte >= 0x30 && byte < 0x38

/** @returns the place of the bracket that closes it */
function* readLiteral(content: Buffer, from: number, to: number): Generator<number, number> {
  let depth = 1
  let at = from
  for (; at < to; at++) {
    const byte = content[at]!
    if (byte === 0x5c) {
      const next = content[++at]!
      if (isOctal(next)) {
        let code = 0
        for (let digits = 0; digits < 3 && isOctal(content[at]); digits++) code = code * 8 + content[at++]! - 0x30
        at -= 1
        yield code & 0xff
      } else if (next !== 10 && next !== 13) yield ESCAPED[next] ?? next
      continue
    }
    if (byte === 0x28) depth += 1
    if (byte === 0x29) depth -= 1
    if (depth === 0) break
    yield byte
  }
  return at
}
