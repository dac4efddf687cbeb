import { PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, PdfRef, PdfStream, PdfString } from '@libpdf/core'
import type { PdfObject } from './object-store.ts'

/** White space and delimiters of ISO 32000-2 section 7.2.3, and the escape character itself. */
const ESCAPED_IN_NAMES = new Set([...'()<>[]{}/%#'].map((character) => character.charCodeAt(0)))

const names = new Map<string, string>()
const MAX_REMEMBERED_NAMES = 5000

/** The name with its slash. Bytes outside printable ASCII are escaped (ISO 32000-2 section 7.3.5). */
export function serializeName(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  let text = '/'
  for (const byte of readNameBytes(name)) {
    text +=
      byte < 33 || byte > 126 || ESCAPED_IN_NAMES.has(byte)
        ? `#${byte.toString(16).padStart(2, '0').toUpperCase()}`
        : String.fromCharCode(byte)
  }
  if (names.size < MAX_REMEMBERED_NAMES) names.set(name, text)
  return text
}

/** The parser hands over bare bytes as Latin-1 and escaped ones as UTF-8 text; both must come out as they went in. */
function readNameBytes(name: string): Uint8Array {
  if (!/[\x80-\xff]/.test(name) || /[^\0-\xff]/.test(name)) return Buffer.from(name, 'utf8')
  const bytes = Buffer.from(name, 'latin1')
  return bytes.toString('utf8').includes('\ufffd') ? Buffer.from(name, 'utf8') : bytes
}

/** A number without exponent (ISO 32000-2 section 7.3.3); what is no number becomes 0. */
export function serializeNumber(value: number): string {
  if (!Number.isFinite(value)) return '0'
  const bounded = Math.max(-1e15, Math.min(1e15, value))
  if (Number.isInteger(bounded)) return String(bounded === 0 ? 0 : bounded)
  const text = bounded.toFixed(7).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

function serializeString(string: PdfString): string {
  const bytes = Buffer.from(string.bytes.buffer, string.bytes.byteOffset, string.bytes.byteLength)
  if (string.format === 'hex') return `<${bytes.toString('hex')}>`
  // a bare carriage return would be read back as a line feed, so it is written as an escape
  return `(${bytes
    .toString('latin1')
    .replaceAll(/[\\()]/g, String.raw`\$&`)
    .replaceAll('\r', String.raw`\r`)})`
}

/** How references are written; undefined means the object is not in the file and `null` stands in its place. */
export type Renumber = (objectNumber: number) => number | undefined

/**
 * The object as Latin-1 text. Of a stream only the dictionary is written, with a direct `/Length`, followed by nothing:
 * the caller writes the data.
 */
export function serializeObject(object: PdfObject, renumber: Renumber): string {
  if (object instanceof PdfName) return serializeName(object.value)
  if (object instanceof PdfNumber) return serializeNumber(object.value)
  if (object instanceof PdfRef) {
    const number = renumber(object.objectNumber)
    return number === undefined ? 'null' : `${number} 0 R`
  }
  if (object instanceof PdfString) return serializeString(object)
  if (object instanceof PdfBool) return object.value ? 'true' : 'false'
  if (object instanceof PdfArray) {
    let text = ''
    for (const item of object) text += `${text === '' ? '' : ' '}${serializeObject(item, renumber)}`
    return `[${text}]`
  }
  if (object instanceof PdfDict) {
    let text = ''
    for (const [key, value] of object) {
      if (object instanceof PdfStream && key.value === 'Length') continue
      text += `${serializeName(key.value)} ${serializeObject(value, renumber)}\n`
    }
    if (object instanceof PdfStream) text += `/Length ${object.data.length}\n`
    return `<<\n${text}>>`
  }
  return 'null'
}
