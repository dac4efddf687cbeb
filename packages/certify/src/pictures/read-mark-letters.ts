import type { init } from '@embedpdf/pdfium'
import { type PlacedLetter, readPlacedLetters } from './read-words.ts'

type Pdfium = Awaited<ReturnType<typeof init>>

/** Values of pdfium's public headers, fpdf_annot.h and fpdf_flatten.h. */
const [LINK, POPUP] = [2, 16]
const FOR_SCREENS = 0
const FLATTENED = 1
/** Invisible, Hidden and NoView (ISO 32000-2 table 167). */
const UNSEEN_FLAGS = 1 | 2 | 32

/** Whether a page has annotations or fields that may bring words along. */
export function hasWordyMarks(pdfium: Pdfium, page: number): boolean {
  for (let at = 0; at < pdfium.FPDFPage_GetAnnotCount(page); at++) if (mayShowWords(pdfium, page, at)) return true
  return false
}

/**
 * The letters that a page's annotations and fields bring along, where they show a picture on a screen. What hangs on a layer is left out:
 * who reads words is not told whether it is hidden.
 * @param load Opens the page, of a file that nothing is drawn of any more: its annotations become part of its content.
 * @param own The letters of the page's own content.
 */
export function readMarkLetters(pdfium: Pdfium, load: () => number, own: readonly PlacedLetter[]): PlacedLetter[] {
  const page = load()
  for (let at = pdfium.FPDFPage_GetAnnotCount(page) - 1; at >= 0; at--)
    if (!mayShowWords(pdfium, page, at)) pdfium.FPDFPage_RemoveAnnot(page, at)
  const isDone = pdfium.FPDFPage_Flatten(page, FOR_SCREENS) === FLATTENED
  pdfium.FPDF_ClosePage(page)
  if (!isDone) return []
  const flattened = load()
  const letters = readPlacedLetters(pdfium, flattened)
  pdfium.FPDF_ClosePage(flattened)
  return leaveOut(letters, own)
}

function mayShowWords(pdfium: Pdfium, page: number, at: number): boolean {
  const mark = pdfium.FPDFPage_GetAnnot(page, at)
  if (mark === 0) return false
  const kind = pdfium.FPDFAnnot_GetSubtype(mark)
  const isUnseen = (pdfium.FPDFAnnot_GetFlags(mark) & UNSEEN_FLAGS) !== 0 || pdfium.FPDFAnnot_HasKey(mark, 'OC')
  pdfium.FPDFPage_CloseAnnot(mark)
  return kind !== LINK && kind !== POPUP && !isUnseen
}

/** The letters that are not among the others, which end words. */
function leaveOut(letters: readonly PlacedLetter[], others: readonly PlacedLetter[]): PlacedLetter[] {
  const left = new Map<string, number>()
  for (const letter of others) if (letter) left.set(nameOf(letter), (left.get(nameOf(letter)) ?? 0) + 1)
  return letters.map((letter) => {
    if (!letter) return undefined
    const count = left.get(nameOf(letter)) ?? 0
    if (count === 0) return letter
    left.set(nameOf(letter), count - 1)
    return undefined
  })
}

/** A letter in its place, to the tenth of a point: what is drawn within another form is rounded otherwise. */
const nameOf = ({ letter, left, bottom }: NonNullable<PlacedLetter>): string =>
  `${letter} ${Math.round(10 * left)} ${Math.round(10 * bottom)}`
