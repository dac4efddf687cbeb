import { writeLatin1 } from '../bytes.ts'
import { refuse, type ProofErrorCode } from '../errors.ts'

/** A PDF name without its slash, `#xx` already read. ISO 32000-2 section 7.3.5. */
export interface PdfName {
  kind: 'name'
  text: string
}

/** An indirect reference of generation 0. ISO 32000-2 section 7.3.10. */
export interface PdfReference {
  kind: 'reference'
  object: number
}

export type PdfDictionary = Map<string, PdfValue>

/** Any direct object; strings hold one character per byte. */
export type PdfValue = null | boolean | number | string | PdfName | PdfReference | PdfValue[] | PdfDictionary

export function isReference(value: PdfValue | undefined): value is PdfReference {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'reference'
}

export function isName(value: PdfValue | undefined, text: string): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'name' && value.text === text
}

export function isWholeNumber(value: PdfValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** The dictionary, which may hold nothing but `keys`. @throws ProofError `code`. */
export function mustDictionary(
  value: PdfValue | undefined,
  keys: readonly string[],
  code: ProofErrorCode,
  what: string,
): PdfDictionary {
  if (!(value instanceof Map)) return refuse(code, `${what} is not a dictionary`)
  for (const key of value.keys()) if (!keys.includes(key)) refuse(code, `${what} has /${key}`)
  return value
}

export function mustArray(value: PdfValue | undefined, code: ProofErrorCode, what: string): PdfValue[] {
  return Array.isArray(value) ? value : refuse(code, `${what} is not an array`)
}

/** The number of the object referred to. */
export function mustReference(value: PdfValue | undefined, code: ProofErrorCode, what: string): number {
  return isReference(value) ? value.object : refuse(code, `${what} is not a reference`)
}

/**
 * A text string as a reader would show it, made comparable: UTF-16 and UTF-8 marks are read, language escapes and invisible
 * characters dropped, case and outer white space ignored. ISO 32000-2 section 7.9.2.2.
 */
export function foldText(value: PdfValue | undefined): string {
  if (typeof value !== 'string') return ''
  return dropLanguageEscapes(decodeText(value))
    .normalize('NFKC')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .toLowerCase()
}

/** A language code stands between two escape characters. */
function dropLanguageEscapes(text: string): string {
  return text
    .split('\u001B')
    .filter((_, i) => i % 2 === 0)
    .join('')
}

function decodeText(raw: string): string {
  const decode = (label: string) => new TextDecoder(label).decode(writeLatin1(raw))
  if (raw.startsWith('\u00FE\u00FF')) return decode('utf-16be')
  if (raw.startsWith('\u00FF\u00FE')) return decode('utf-16le')
  return raw.startsWith('\u00EF\u00BB\u00BF') ? decode('utf-8') : raw
}
