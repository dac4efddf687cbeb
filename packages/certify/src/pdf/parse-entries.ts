import { PdfArray, PdfBool, PdfDict, PdfName, PdfNull, PdfNumber, PdfString } from '@libpdf/core'
import type { PdfObject } from './object-store.ts'

/** The text between two brackets, as tokens: names, numbers, words, strings and brackets; nothing else may stand there. */
const TOKEN =
  /[\s\0]*(?:(\/[^\s\0()<>[\]{}/%#]*)|([+-]?(?:\d+\.?\d*|\.\d+))(?![^\s\0()<>[\]{}/%])|(true|false|null)(?![^\s\0()<>[\]{}/%])|<([\da-f\s\0]*)>|\(((?:[^()\\]|\\[^])*)\)|(<<|>>|\[|\]))/iy
const ESCAPE = /\\(\r\n|[0-7]{1,3}|[^])/g
const ESCAPED: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const MOST_DEPTH = 4

type Closing = '>>' | ']' | ''

/**
 * Reads entries that stand among operators: pairs of a name and what it means, without references.
 * @returns undefined where anything else stands there, or a name stands twice.
 */
export function parseEntries(text: string): PdfDict | undefined {
  const parsing = { text, at: 0 }
  const entries = parsePairs(parsing, '', 0)
  return entries !== undefined && text.slice(parsing.at).trim() === '' ? entries : undefined
}

interface Parsing {
  text: string
  at: number
}

function nextToken(parsing: Parsing): RegExpExecArray | undefined {
  TOKEN.lastIndex = parsing.at
  const token = TOKEN.exec(parsing.text)
  if (token !== null) parsing.at = TOKEN.lastIndex
  return token ?? undefined
}

function parsePairs(parsing: Parsing, closing: Closing, depth: number): PdfDict | undefined {
  const entries = new PdfDict()
  for (;;) {
    const isAtEnd = closing === '' && parsing.text.slice(parsing.at).trim() === ''
    const token = isAtEnd ? undefined : nextToken(parsing)
    if (isAtEnd || (closing !== '' && token?.[6] === closing)) return entries
    const name = token?.[1]?.slice(1)
    const value = name === undefined ? undefined : parseValue(parsing, nextToken(parsing), depth)
    if (name === undefined || value === undefined || entries.has(name)) return undefined
    entries.set(name, value)
  }
}

function parseValue(parsing: Parsing, token: RegExpExecArray | undefined, depth: number): PdfObject | undefined {
  if (token === undefined || depth > MOST_DEPTH) return undefined
  const [, name, number, word, hex, string, bracket] = token
  if (name !== undefined) return PdfName.of(name.slice(1))
  if (number !== undefined) return PdfNumber.of(Number(number))
  if (word !== undefined) return word === 'null' ? PdfNull.instance : PdfBool.of(word === 'true')
  if (hex !== undefined) return new PdfString(readHex(hex), 'hex')
  if (string !== undefined) return new PdfString(readString(string), 'literal')
  if (bracket === '<<') return parsePairs(parsing, '>>', depth + 1)
  return bracket === '[' ? parseItems(parsing, depth + 1) : undefined
}

function parseItems(parsing: Parsing, depth: number): PdfArray | undefined {
  const items: PdfObject[] = []
  for (let token = nextToken(parsing); token?.[6] !== ']'; token = nextToken(parsing)) {
    const item = parseValue(parsing, token, depth)
    if (item === undefined) return undefined
    items.push(item)
  }
  return new PdfArray(items)
}

function readHex(digits: string): Uint8Array {
  const plain = digits.replaceAll(/[\s\0]/g, '')
  return Buffer.from(plain.length % 2 === 0 ? plain : `${plain}0`, 'hex')
}

/** ISO 32000-2 table 3. */
function readString(text: string): Uint8Array {
  const plain = text.replaceAll(/\r\n?/g, (end, at: number) => (text[at - 1] === '\\' ? end : '\n'))
  const read = plain.replaceAll(ESCAPE, (_, escaped: string) => {
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff)
    return /^[\r\n]/.test(escaped) ? '' : (ESCAPED[escaped] ?? escaped)
  })
  return Buffer.from(read, 'latin1')
}
