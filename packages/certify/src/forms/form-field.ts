import { PdfArray, PdfDict, PdfName, PdfNumber, PdfStream, PdfString } from '@libpdf/core'
import { type PdfObject, readNumber, readNumbers } from '../pdf/object-store.ts'
import { readTextString } from '../pdf/text-string.ts'

export type Resolve = (object: PdfObject | null | undefined) => PdfObject | undefined

/** Flags of fields (ISO 32000-2 tables 228, 230, 232), by bit position. */
export const FLAGS = {
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  comb: 1 << 24,
}

/** One widget with everything that says how it looks, inherited entries included. */
export interface FormField {
  kind: 'text' | 'choice' | 'check' | 'radio' | 'push'
  flags: number
  /** What it says: the text, the chosen words, the caption; lines of a list; a star for each letter of a password. */
  text: string
  /** List boxes: every line, and which are chosen. */
  options: { text: string; isChosen: boolean }[]
  /** Check boxes and radio buttons. */
  isOn: boolean
  /** Points. */
  width: number
  height: number
  /** Counter-clockwise: 0, 90, 180 or 270. */
  rotation: number
  /** 0 left, 1 middle, 2 right. */
  alignment: number
  mostCharacters: number | undefined
  firstLine: number
  /** `/DA`: font, size and colour as operators. */
  defaultAppearance: string
  /** Fonts by name: of the form, or of the widget itself. */
  fonts: PdfDict
  background: number[]
  borderColour: number[]
  borderWidth: number
}

/** @returns undefined for signatures, faulty fields and fields without extent. */
export function readField(form: PdfDict, widget: PdfDict, resolve: Resolve): FormField | undefined {
  const get = (key: string): PdfObject | undefined => findInField(widget, key, resolve)
  const type = get('FT')
  const rect = readNumbers(widget.get('Rect'), resolve)
  if (!(type instanceof PdfName) || rect?.length !== 4) return undefined
  const [left, bottom, right, top] = rect as [number, number, number, number]
  const [width, height] = [Math.abs(right - left), Math.abs(top - bottom)]
  const flags = readNumber(get('Ff'), resolve) ?? 0
  const kinds: Record<string, FormField['kind']> = { Tx: 'text', Ch: 'choice', Btn: readButtonKind(flags) }
  const kind = kinds[type.value]
  if (kind === undefined || !(width > 0) || !(height > 0)) return undefined
  const look = resolve(widget.get('MK'))
  const looks = look instanceof PdfDict ? look : new PdfDict()
  const options = listOptions(get('Opt'), readValue(widget, resolve), resolve)
  const formAppearance = resolve(form.get('DA'))
  const text =
    kind === 'text' || kind === 'choice'
      ? findDisplayed(readText(readValue(widget, resolve), resolve), options)
      : readCaption(looks, kind, resolve)
  const isSecret = kind === 'text' && (flags & FLAGS.password) !== 0
  return {
    kind,
    // a password has neither lines nor cells, whatever else is said of it
    flags: isSecret ? flags & ~(FLAGS.multiline | FLAGS.comb) : flags,
    text: isSecret ? '*'.repeat(text.length) : text,
    options: options.map(({ display, isChosen }) => ({ text: display, isChosen })),
    isOn: !['Off', undefined].includes(readState(widget, kind, resolve)),
    width,
    height,
    rotation: (((Math.round((readNumber(looks.get('R'), resolve) ?? 0) / 90) % 4) + 4) % 4) * 90,
    alignment: readNumber(get('Q') ?? form.get('Q'), resolve) ?? 0,
    mostCharacters: readNumber(get('MaxLen'), resolve),
    firstLine: readNumber(get('TI'), resolve) ?? 0,
    defaultAppearance: readText(get('DA') ?? formAppearance, resolve),
    fonts: findFonts(form, get, resolve),
    background: readNumbers(looks.get('BG'), resolve) ?? [],
    borderColour: readNumbers(looks.get('BC'), resolve) ?? [],
    borderWidth: readBorderWidth(widget, Math.min(width, height), resolve),
  }
}

/** A button may show its icon alone (ISO 32000-2 table 192, /TP). */
function readCaption(looks: PdfDict, kind: FormField['kind'], resolve: Resolve): string {
  const isIcon = kind === 'push' && readNumber(looks.get('TP'), resolve) === 1
  return isIcon ? '' : readText(resolve(looks.get('CA')), resolve)
}

function readButtonKind(flags: number): FormField['kind'] {
  return (flags & FLAGS.pushButton) !== 0 ? 'push' : (flags & FLAGS.radio) !== 0 ? 'radio' : 'check'
}

/** The entry of the widget or of the nearest field above it. */
export function findInField(widget: PdfDict, key: string, resolve: Resolve): PdfObject | undefined {
  let field: PdfObject | undefined = widget
  for (let level = 0; field instanceof PdfDict && level < 16; level++) {
    const value = resolve(field.get(key))
    if (value !== undefined) return value
    field = resolve(field.get('Parent'))
  }
  return undefined
}

/** What was entered, else what stands there until something is (ISO 32000-2 table 226). */
export function readValue(widget: PdfDict, resolve: Resolve): PdfObject | undefined {
  return findInField(widget, 'V', resolve) ?? findInField(widget, 'DV', resolve)
}

/** Embeddings and overrides of direction show letters against their own: left out, as certificates do not heed them either. */
const DIRECTIONS = /[\u202a-\u202e]/g

/** What is to be shown of a text string. */
export const readShownText = (string: PdfString): string => readTextString(string).replaceAll(DIRECTIONS, '')

function readText(object: PdfObject | undefined, resolve: Resolve): string {
  if (object instanceof PdfString) return readShownText(object)
  if (object instanceof PdfName) return object.value
  if (object instanceof PdfStream) return readShownText(new PdfString(object.getDecodedData()))
  if (object instanceof PdfArray) return readText(resolve(object.at(0)), resolve)
  return ''
}

interface Option {
  exported: string
  display: string
  isChosen: boolean
}

function listOptions(list: PdfObject | undefined, value: PdfObject | undefined, resolve: Resolve): Option[] {
  if (!(list instanceof PdfArray)) return []
  const values = new Set(
    (value instanceof PdfArray ? [...value] : value === undefined ? [] : [value]).map((item) =>
      readText(resolve(item), resolve),
    ),
  )
  const options = [...list].map((item) => {
    const option = resolve(item)
    const pair =
      option instanceof PdfArray
        ? [...option].map((part) => readText(resolve(part), resolve))
        : [readText(option, resolve)]
    const exported = pair[0] ?? ''
    return { exported, display: pair[1] ?? exported }
  })
  const exports = new Set(options.map(({ exported }) => exported))
  // what stands in the list is meant only where nothing is exported under the name
  const isChosen = ({ exported, display }: (typeof options)[number]): boolean =>
    values.has(exported) || (values.has(display) && !exports.has(display))
  return options.map((option) => ({ ...option, isChosen: isChosen(option) }))
}

function findDisplayed(value: string, options: readonly Option[]): string {
  return options.find(({ exported }) => exported === value)?.display ?? value
}

/** What a box or button shows. Of boxes the reviewer's reader takes a text, too. @returns undefined for none. */
export function readState(widget: PdfDict, kind: FormField['kind'], resolve: Resolve): string | undefined {
  const state = resolve(widget.get('AS')) ?? readValue(widget, resolve)
  if (state instanceof PdfName) return state.value
  return kind === 'check' && state instanceof PdfString ? readTextString(state) : undefined
}

function findFonts(form: PdfDict, get: (key: string) => PdfObject | undefined, resolve: Resolve): PdfDict {
  const fonts = new PdfDict()
  for (const source of [resolve(form.get('DR')), get('DR')]) {
    const found = source instanceof PdfDict ? resolve(source.get('Font')) : undefined
    if (found instanceof PdfDict) for (const [key, value] of found) fonts.set(key.value, value)
  }
  return fonts
}

/**
 * Points; 1 when nothing is said (ISO 32000-2 tables 166 and 168), and where it would fill the field: the reviewer's reader takes that
 * for a mistake, and nothing of a value would be seen.
 */
function readBorderWidth(widget: PdfDict, extent: number, resolve: Resolve): number {
  const style = resolve(widget.get('BS'))
  const styled = style instanceof PdfDict ? resolve(style.get('W')) : undefined
  const width = styled instanceof PdfNumber ? styled.value : (readNumbers(widget.get('Border'), resolve)?.[2] ?? 1)
  return width >= extent / 2 ? 1 : Math.max(0, width)
}
