import { type Family, findSlices, type Slice } from './script-families.ts'
import { holdSlices, openSlice, takeTypeface } from './slices.ts'
import { countInk } from './shape-run.ts'
import { FALLBACK, loadTypeface, type TextStyle, type Typeface, WEIGHT } from './typefaces.ts'

/** Chinese, Japanese and Korean write many characters alike but shape them differently. */
export type HanFamily = 'sc' | 'jp' | 'kr'

/** Joiners, direction marks and variation selectors need no glyph of their own. */
const NEEDS_NO_GLYPH = /^\p{Default_Ignorable_Code_Point}$/u
/** What is shown as a picture, not as a letter: by its nature, by a variation selector, a flag, a key cap. */
const IS_EMOJI = /\p{Emoji_Presentation}|\p{Regional_Indicator}|\p{Emoji}\ufe0f|\u20e3|\p{Emoji_Modifier}/u
const IS_HAN =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\u3000-\u33ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]/u
/** Marks of forms that no face has, and what is drawn for each: it says the same to whoever looks at it. */
const ALIKE: ReadonlyMap<string, string> = new Map([
  ...[...'☐❏❐❑❒'].map((box) => [box, '□'] as const),
  ...[...'☒⌧🗵🗷'].map((box) => [box, '⊠'] as const),
  ...[...'✕✗✘'].map((cross) => [cross, '✖'] as const),
  ['🗹', '☑'],
])
/** Below are Latin, Greek, Cyrillic and Armenian, and Hebrew begins: most texts end their search here. */
const FIRST_OTHER = 0x0590

export interface FaceChoice {
  face: Typeface
  /** What is to be shaped with it: the grapheme, or its first character when no face has the whole. */
  shaped: string
}

/** Chooses among the static faces and the open slices; undefined when none has the grapheme. */
export function chooseTypeface(
  grapheme: string,
  style: TextStyle,
  previous: Typeface | undefined,
  han: HanFamily,
): FaceChoice | undefined {
  // a space or mark stays in the face of what stands before it, so words are not torn; the space of pictures is too wide
  const isSpace = /^[\s\p{M}]+$/u.test(grapheme)
  if (previous !== undefined && isSpace && !previous.source.startsWith('emoji') && hasAll(previous, grapheme)) {
    return { face: previous, shaped: grapheme }
  }
  if (/\p{Co}/u.test(grapheme)) return undefined
  const isEmoji = isPicture(grapheme)
  const own = isEmoji ? undefined : findStatic(grapheme, style)
  if (own !== undefined) return { face: own, shaped: grapheme }
  for (const { slices, shaped } of listCandidates(grapheme, isEmoji, han)) {
    const faces = slices.map((slice) => takeTypeface(slice, WEIGHT[style])).filter((face) => face !== undefined)
    const fitting = faces.filter((face) => hasAll(face, shaped))
    const face = fitting.find((candidate) => countInk(candidate, shaped) === 1) ?? fitting[0]
    if (face !== undefined) return { face, shaped }
  }
  const standIn = isEmoji ? findStatic(grapheme, style) : undefined
  return standIn === undefined ? undefined : { face: standIn, shaped: grapheme }
}

/**
 * Opens the slices that these texts need and keeps all open while `draw` runs. Texts in Latin, Greek or Cyrillic, Arabic or
 * Persian open none.
 */
export async function withTypefaces<Result>(texts: Iterable<string>, draw: () => Result): Promise<Result> {
  const release = holdSlices()
  try {
    const tried = new Set<string>()
    for (const text of texts) {
      if (!hasOther(text)) continue
      for (const { segment, han } of splitGraphemes(text.toWellFormed())) {
        const key = `${han} ${segment}`
        if (tried.has(key)) continue
        tried.add(key)
        await openFor(segment.normalize('NFC'), han)
      }
    }
    return draw()
  } finally {
    release()
  }
}

/** Slices are opened in the order in which `chooseTypeface` looks for them, until one has the grapheme. */
async function openFor(grapheme: string, han: HanFamily): Promise<void> {
  const isEmoji = isPicture(grapheme)
  if (!isEmoji && (!hasOther(grapheme) || findStatic(grapheme, 'text') !== undefined)) return
  for (const { slices, shaped } of listCandidates(grapheme, isEmoji, han)) {
    let isFound = false
    for (const slice of slices) {
      await openSlice(slice)
      const face = takeTypeface(slice, WEIGHT.text)!
      if (!hasAll(face, shaped)) continue
      isFound = true
      if (countInk(face, shaped) === 1) return
    }
    if (isFound) return
  }
}

/** Where a grapheme may be, best first. */
function listCandidates(grapheme: string, isEmoji: boolean, han: HanFamily): { slices: Slice[]; shaped: string }[] {
  const families = listFamilies(grapheme, isEmoji, han)
  const whole = families.map((family) => ({ slices: findSlices(family, listVisible(grapheme)), shaped: grapheme }))
  const first = String.fromCodePoint(grapheme.codePointAt(0)!)
  // a sequence that no slice has as a whole is shown by the picture it begins with
  if (isEmoji && first !== grapheme) whole.push({ slices: findSlices('emoji', listVisible(first)), shaped: first })
  const alike = ALIKE.get(first)
  if (alike !== undefined) {
    const others = listFamilies(alike, false, han)
    whole.push(...others.map((family) => ({ slices: findSlices(family, listVisible(alike)), shaped: alike })))
  }
  return whole.filter(({ slices }) => slices.length > 0)
}

function listFamilies(grapheme: string, isEmoji: boolean, han: HanFamily): Family[] {
  if (isEmoji) return ['emoji']
  if (/\p{sc=Hebr}/u.test(grapheme)) return ['hebrew']
  if (/\p{scx=Deva}/u.test(grapheme)) return ['devanagari']
  if (/\p{sc=Thai}/u.test(grapheme)) return ['thai']
  const eastern: Family[] = [han, ...(['sc', 'jp', 'kr'] as const).filter((family) => family !== han)]
  return IS_HAN.test(grapheme) ? eastern : ['emoji', ...eastern]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Splits into what a reader takes for one character, each with the language its Han characters are drawn for: that of the
 * last kana or hangul before it in the paragraph, otherwise of the first one after it, otherwise Chinese.
 */
export function* splitGraphemes(text: string): Generator<{ segment: string; index: number; han: HanFamily }> {
  const first = /[\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.exec(text)?.[0]
  let han: HanFamily = first === undefined ? 'sc' : nameHan(first)!
  for (const { segment, index } of graphemes.segment(text)) {
    if (first !== undefined) han = nameHan(segment) ?? han
    yield { segment, index, han }
  }
}

function nameHan(grapheme: string): HanFamily | undefined {
  if (/[\p{sc=Hira}\p{sc=Kana}]/u.test(grapheme)) return 'jp'
  return /\p{sc=Hang}/u.test(grapheme) ? 'kr' : undefined
}

/** Whether the text has anything beyond Latin, Greek, Cyrillic and common punctuation, which no slice is needed for. */
export function hasOther(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // general punctuation and currency signs are in the static faces
    if (unit >= FIRST_OTHER && (unit < 0x2010 || unit > 0x2026) && unit !== 0x20ac) return true
  }
  return false
}

const isPicture = (grapheme: string): boolean =>
  (grapheme.length > 1 || grapheme.charCodeAt(0) >= FIRST_OTHER) &&
  IS_EMOJI.test(grapheme) &&
  !grapheme.includes('\ufe0e')

const findStatic = (grapheme: string, style: TextStyle): Typeface | undefined =>
  FALLBACK[style].map(loadTypeface).find((face) => hasAll(face, grapheme))

const listVisible = (grapheme: string): number[] =>
  [...grapheme].filter((character) => !NEEDS_NO_GLYPH.test(character)).map((character) => character.codePointAt(0)!)

function hasAll({ characters }: Typeface, grapheme: string): boolean {
  for (const character of grapheme) {
    if (!characters.has(character.codePointAt(0)!) && !NEEDS_NO_GLYPH.test(character)) return false
  }
  return true
}
