import {
  PdfArray,
  PdfDict,
  PdfName,
  PdfNumber,
  type PdfRef,
  Standard14Font,
  type Standard14FontName,
} from '@libpdf/core'
import type { FormField, Resolve } from './form-field.ts'
import { nameOf } from './object-store.ts'

/** How the text of a field is set. */
export interface FieldFont {
  /** Name in the resources. */
  name: string
  font: PdfDict | PdfRef
  /** Points; 0 means that it is chosen to fit. */
  size: number
  /** Operators that set the colour. */
  colour: string
  /** Width of an encoded text in thousandths of the size. */
  measure(codes: Uint8Array): number
}

/** What stands where Windows-1252 differs from Latin-1; 0 where nothing does. */
const WINDOWS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'
const STANDARD =
  /^(?:Courier|Helvetica)(?:-(?:Bold)?(?:Oblique)?)?$|^Times-(?:Roman|Bold|Italic|BoldItalic)$|^Symbol$|^ZapfDingbats$/

/** Text as bytes of the encoding that form fonts have; what is not among its characters becomes a question mark. */
export function encodeText(text: string): Uint8Array {
  return Uint8Array.from([...text.normalize('NFC')], (character) => {
    const code = character.codePointAt(0)!
    if ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff)) return code
    const index = WINDOWS.indexOf(character)
    return code !== 0 && index >= 0 ? 0x80 + index : 0x3f
  })
}

/** The font that /DA names, Helvetica when it is not there or needs another encoding than one byte for a character. */
export function readFieldFont(field: FormField, resolve: Resolve): FieldFont {
  const [, name, size] = /\/([^\s/<>()[\]{}%]+)\s+(-?[\d.]+)\s+Tf/.exec(field.defaultAppearance) ?? []
  const colour = /(?:-?[\d.]+\s+){1,4}(?:g|rg|k)(?=\s|$)/.exec(field.defaultAppearance)?.[0] ?? '0 g'
  const common = { size: Math.max(0, Number(size ?? 0) || 0), colour }
  const entry = name === undefined ? undefined : field.fonts.get(name)
  const font = resolve(entry)
  const kind = font instanceof PdfDict ? resolve(font.get('Subtype')) : undefined
  const isSimple = kind instanceof PdfName && ['Type1', 'TrueType', 'MMType1'].includes(kind.value)
  if (name === undefined || entry === undefined || !(font instanceof PdfDict) || !isSimple)
    return { ...common, ...takeStandard('Helvetica') }
  return { ...common, name, font: entry as PdfDict | PdfRef, measure: makeMeasure(font, resolve) }
}

/** One of the fonts that every reader has. */
export function takeStandard(name: Standard14FontName): Pick<FieldFont, 'name' | 'font' | 'measure'> {
  const font = PdfDict.of({ Type: nameOf('Font'), Subtype: nameOf('Type1'), BaseFont: nameOf(name) })
  if (name !== 'ZapfDingbats') font.set('Encoding', nameOf('WinAnsiEncoding'))
  return { name: 'PdText', font, measure: measureStandard(name) }
}

function makeMeasure(font: PdfDict, resolve: Resolve): FieldFont['measure'] {
  const widths = resolve(font.get('Widths'))
  const first = resolve(font.get('FirstChar'))
  if (widths instanceof PdfArray && first instanceof PdfNumber) {
    const list = [...widths].map((item) => {
      const width = resolve(item)
      return width instanceof PdfNumber ? width.value : 0
    })
    return (codes) => codes.reduce((sum, code) => sum + (list[code - first.value] ?? 0), 0)
  }
  const base = resolve(font.get('BaseFont'))
  const isStandard = base instanceof PdfName && STANDARD.test(base.value)
  return measureStandard(isStandard ? (base.value as Standard14FontName) : 'Helvetica')
}

function measureStandard(name: Standard14FontName): FieldFont['measure'] {
  const metrics = Standard14Font.of(name)
  return (codes) => metrics.widthOfTextAtSize(Buffer.from(codes).toString('latin1'), 1000)
}
