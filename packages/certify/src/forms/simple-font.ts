import { PdfArray, PdfDict, PdfName, PdfNumber, Standard14Font, type Standard14FontName } from '@libpdf/core'
import type { FieldFont, FieldLine, FieldPen } from './field-font.ts'
import { type Encoding, encodeText, isStandardFont, WIN_ANSI } from './font-encoding.ts'
import type { Resolve } from './form-field.ts'
import { wrapWords } from './wrap-words.ts'
import { formatPoints } from '../pdf/format-points.ts'
import { nameOf, type PdfObject } from '../pdf/object-store.ts'
import { serializeName } from '../pdf/serialize-object.ts'

/** Ticks, crosses and dots are nearly as wide as each other; the parser knows the widths of letters alone. */
const MARK_WIDTH = 780

/** Width in thousandths of the size. */
type Measure = (text: string) => number

/** A font of the form, with one byte for each character. */
export function makeSimpleFont(
  name: string,
  entry: PdfObject,
  font: PdfDict,
  encoding: Encoding,
  pen: FieldPen,
  resolve: Resolve,
): FieldFont {
  return makeFont(name, PdfDict.of({ [name]: entry }), encoding, makeMeasure(font, encoding, resolve), pen)
}

/** One of the fonts that every reader has. */
export function makeStandardFont(name: 'Helvetica' | 'ZapfDingbats', pen: FieldPen): FieldFont {
  const font = PdfDict.of({ Type: nameOf('Font'), Subtype: nameOf('Type1'), BaseFont: nameOf(name) })
  if (name === 'Helvetica') font.set('Encoding', nameOf('WinAnsiEncoding'))
  return makeFont('PdText', PdfDict.of({ PdText: font }), WIN_ANSI, measureStandard(name), pen)
}

function makeFont(
  name: string,
  fonts: PdfDict,
  encoding: Encoding,
  measure: Measure,
  { size, colour }: FieldPen,
): FieldFont {
  const set = (text: string): FieldLine => ({
    width: measure(text),
    isRightToLeft: false,
    draw(x, y, points) {
      const place = `1 0 0 1 ${formatPoints(x)} ${formatPoints(y)} Tm`
      const codes = Buffer.from(encodeText(text, encoding) ?? []).toString('hex')
      return `BT ${colour} ${serializeName(name)} ${formatPoints(points)} Tf ${place} <${codes}> Tj ET\n`
    },
  })
  return {
    fonts,
    size,
    set,
    wrap: (text, limit) => wrapWords(text, measure, limit).map(set),
    divide: (text) => [...text.normalize('NFC')].map(set),
  }
}

function makeMeasure(font: PdfDict, encoding: Encoding, resolve: Resolve): Measure {
  const widths = resolve(font.get('Widths'))
  const first = resolve(font.get('FirstChar'))
  if (widths instanceof PdfArray && first instanceof PdfNumber) {
    const list = [...widths].map((item) => {
      const width = resolve(item)
      return width instanceof PdfNumber ? width.value : 0
    })
    return (text) => (encodeText(text, encoding) ?? []).reduce((sum, code) => sum + (list[code - first.value] ?? 0), 0)
  }
  const base = resolve(font.get('BaseFont'))
  return measureStandard(base instanceof PdfName && isStandardFont(base.value) ? base.value : 'Helvetica')
}

function measureStandard(name: Standard14FontName): Measure {
  if (name === 'ZapfDingbats') return () => MARK_WIDTH
  const metrics = Standard14Font.of(name)
  return (text) => metrics.widthOfTextAtSize(text.normalize('NFC'), 1000)
}
