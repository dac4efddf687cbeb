import { PdfDict } from '@libpdf/core'
import type { FieldFont } from './field-font.ts'
import { FLAGS, type FormField, type Resolve } from './form-field.ts'
import { makeOwnFont, type OwnFaces } from './own-font.ts'
import { canEncode, readEncoding, WIN_ANSI } from './font-encoding.ts'
import { makeSimpleFont, makeStandardFont } from './simple-font.ts'

/** Whether all its lines are seen at once. One without any shows its value as other fields do. */
export const isList = ({ kind, flags, options }: FormField): boolean =>
  kind === 'choice' && (flags & FLAGS.combo) === 0 && options.length > 0

/** What is drawn of a field in words: the lines of a list, or its text. */
export const listTexts = (field: FormField): string[] =>
  isList(field) ? field.options.map((option) => option.text) : [field.text]

/**
 * The font that /DA names, where it is sure which code stands for each character of the field; else Helvetica; our own faces where
 * the field holds characters that neither has.
 */
export function readFieldFont(field: FormField, resolve: Resolve, takeOwnFaces: () => OwnFaces): FieldFont {
  const [, name, size] = /\/([^\s/<>()[\]{}%]+)\s+(-?[\d.]+)\s+Tf/.exec(field.defaultAppearance) ?? []
  const colour = /(?:-?[\d.]+\s+){1,4}(?:g|rg|k)(?=\s|$)/.exec(field.defaultAppearance)?.[0] ?? '0 g'
  const points = Number(size ?? 0)
  const pen = { size: Number.isFinite(points) ? Math.max(0, points) : 0, colour }
  if (field.kind === 'check' || field.kind === 'radio') return makeStandardFont('ZapfDingbats', pen)
  const texts = listTexts(field)
  const entry = name === undefined ? undefined : field.fonts.get(decodeName(name))
  const font = resolve(entry)
  const encoding = font instanceof PdfDict ? readEncoding(font, resolve) : undefined
  if (entry !== undefined && font instanceof PdfDict && encoding !== undefined && canEncode(texts, encoding)) {
    return makeSimpleFont(decodeName(name!), entry, font, encoding, pen, resolve)
  }
  return canEncode(texts, WIN_ANSI) ? makeStandardFont('Helvetica', pen) : makeOwnFont(takeOwnFaces(), pen)
}

/** Names within a string of operators are written with escapes (ISO 32000-2 section 7.3.5). */
const decodeName = (name: string): string =>
  name.replaceAll(/#([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
