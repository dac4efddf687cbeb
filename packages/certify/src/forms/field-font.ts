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
import { drawLine, type Ink } from '../text/ink.ts'
import { setLine } from '../text/wrap-lines.ts'
import { formatPoints } from '../pdf/format-points.ts'
import { nameOf } from '../pdf/object-store.ts'
import { serializeName } from '../pdf/serialize-object.ts'

/** How the text of a field is set. */
export interface FieldFont {
  /** Fonts by their names in the resources. */
  fonts: PdfDict | PdfRef
  /** Points; 0 means that it is chosen to fit. */
  size: number
  /** Width of a text in thousandths of the size. */
  measure(text: string): number
  /** Operators that draw a text with its left end at x and its baseline at y. */
  draw(text: string, x: number, y: number, size: number): string
}

/** What sets texts that no font of the form can: our own faces, shaped. */
export interface OwnFaces {
  ink: Ink
  fonts: PdfRef
}

/** What stands where Windows-1252 differs from Latin-1; 0 where nothing does. */
const WINDOWS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ'
const STANDARD =
  /^(?:Courier|Helvetica)(?:-(?:Bold)?(?:Oblique)?)?$|^Times-(?:Roman|Bold|Italic|BoldItalic)$|^Symbol$|^ZapfDingbats$/

/** Text as bytes of the encoding that form fonts have. @returns undefined when it has other characters. */
function encodeText(text: string): Uint8Array | undefined {
  const codes: number[] = []
  for (const character of text.normalize('NFC')) {
    const code = character.codePointAt(0)!
    const index = code === 0 ? -1 : WINDOWS.indexOf(character)
    if (index >= 0) codes.push(0x80 + index)
    else if (code < 0x20) codes.push(0x20)
    else if (code < 0x7f || (code >= 0xa0 && code <= 0xff)) codes.push(code)
    else return undefined
  }
  return Uint8Array.from(codes)
}

/**
 * The font that /DA names; Helvetica when it is not there or needs another encoding than one byte for a character; our own
 * faces where the field holds characters that such fonts do not have.
 */
export function readFieldFont(field: FormField, resolve: Resolve, takeOwnFaces: () => OwnFaces): FieldFont {
  const [, name, size] = /\/([^\s/<>()[\]{}%]+)\s+(-?[\d.]+)\s+Tf/.exec(field.defaultAppearance) ?? []
  const colour = /(?:-?[\d.]+\s+){1,4}(?:g|rg|k)(?=\s|$)/.exec(field.defaultAppearance)?.[0] ?? '0 g'
  const points = Math.max(0, Number(size ?? 0) || 0)
  if (field.kind === 'check' || field.kind === 'radio') return makeStandard('ZapfDingbats', points, colour)
  const texts = [field.text, ...field.options.map(({ text }) => text)]
  if (texts.some((text) => encodeText(text) === undefined)) return makeOwn(takeOwnFaces(), points, colour)
  const entry = name === undefined ? undefined : field.fonts.get(name)
  const font = resolve(entry)
  const kind = font instanceof PdfDict ? resolve(font.get('Subtype')) : undefined
  const isSimple = kind instanceof PdfName && ['Type1', 'TrueType', 'MMType1'].includes(kind.value)
  if (name === undefined || entry === undefined || !(font instanceof PdfDict) || !isSimple) {
    return makeStandard('Helvetica', points, colour)
  }
  return makeSimple(name, PdfDict.of({ [name]: entry }), makeMeasure(font, resolve), points, colour)
}

function makeOwn({ ink, fonts }: OwnFaces, size: number, colour: string): FieldFont {
  return {
    fonts,
    size,
    measure: (text) => setLine(text, 'text').width,
    draw: (text, x, y, points) => `${colour}\n${drawLine(ink, setLine(text, 'text'), x, y, points)}`,
  }
}

/** One of the fonts that every reader has. */
function makeStandard(name: Standard14FontName, size: number, colour: string): FieldFont {
  const font = PdfDict.of({ Type: nameOf('Font'), Subtype: nameOf('Type1'), BaseFont: nameOf(name) })
  if (name !== 'ZapfDingbats') font.set('Encoding', nameOf('WinAnsiEncoding'))
  return makeSimple('PdText', PdfDict.of({ PdText: font }), measureStandard(name), size, colour)
}

type Measure = (codes: Uint8Array) => number

function makeSimple(name: string, fonts: PdfDict, measure: Measure, size: number, colour: string): FieldFont {
  const encode = (text: string): Uint8Array => encodeText(text) ?? new Uint8Array()
  return {
    fonts,
    size,
    measure: (text) => measure(encode(text)),
    draw(text, x, y, points) {
      const place = `1 0 0 1 ${formatPoints(x)} ${formatPoints(y)} Tm`
      const codes = Buffer.from(encode(text)).toString('hex')
      return `BT ${colour} ${serializeName(name)} ${formatPoints(points)} Tf ${place} <${codes}> Tj ET\n`
    },
  }
}

function makeMeasure(font: PdfDict, resolve: Resolve): Measure {
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

function measureStandard(name: Standard14FontName): Measure {
  const metrics = Standard14Font.of(name)
  return (codes) => metrics.widthOfTextAtSize(Buffer.from(codes).toString('latin1'), 1000)
}
