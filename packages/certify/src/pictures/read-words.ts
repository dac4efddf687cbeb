import type { init } from '@embedpdf/pdfium'

type Pdfium = Awaited<ReturnType<typeof init>>

/** A word where it is seen: points from the lower left corner of the page as it is turned and cropped. */
export interface PlacedWord {
  text: string
  left: number
  bottom: number
  width: number
  height: number
  /** Which way it runs. */
  runs: 'across' | 'up' | 'down'
}

interface Place {
  left: number
  bottom: number
  right: number
  top: number
}

/** Of one page; of more than that none is read. */
const MOST_LETTERS = 50_000
const LAST = 0xff_ff
const [FIRST_HALF, LAST_HALF] = [0xd8_00, 0xdf_ff]
/** What PDFium puts for a hyphen at the end of a line. */
const HYPHENS = new Set([0x02, 0xad, 0xff_fe])

/** A letter and its place; undefined where a word ends. */
export type PlacedLetter = (Place & { letter: string }) | undefined

/** The words of letters as `readPlacedLetters` reads them. */
export function joinWords(letters: readonly PlacedLetter[]): PlacedWord[] {
  const words: PlacedWord[] = []
  let word: NonNullable<PlacedLetter>[] = []
  for (const letter of [...letters, undefined]) {
    if (letter) word.push(letter)
    else {
      if (word.length > 0) words.push(placeWord(word))
      word = []
    }
  }
  return words
}

/**
 * The letters of a page as PDFium reads them out of what its content draws, in its order; those of annotations and fields are not among
 * them. A page with more than so many has none.
 */
export function readPlacedLetters(pdfium: Pdfium, page: number): PlacedLetter[] {
  const text = pdfium.FPDFText_LoadPage(page)
  if (text === 0) return []
  const letters = placeLetters(pdfium, page, text)
  pdfium.FPDFText_ClosePage(text)
  return letters
}

function placeLetters(pdfium: Pdfium, page: number, text: number): PlacedLetter[] {
  const letters = pdfium.FPDFText_CountChars(text)
  if (letters <= 0 || letters > MOST_LETTERS) return []
  const turn = readTurn(pdfium, page)
  const [wide, high] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
  const box = pdfium.pdfium.wasmExports.malloc(4 * Float64Array.BYTES_PER_ELEMENT)
  return Array.from({ length: letters }, (_, index) => {
    const letter = tellLetter(pdfium.FPDFText_GetUnicode(text, index))
    const place = letter === undefined ? undefined : readPlace(index)
    return place && letter !== undefined ? { letter, ...place } : undefined
  })

  /** @returns undefined for a letter beside the page. */
  function readPlace(index: number): Place | undefined {
    const [left, right, bottom, top] = [box, box + 8, box + 16, box + 24] as const
    if (!pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)) return undefined
    const view = new DataView(pdfium.pdfium.HEAPU8.buffer)
    const one = turn(view.getFloat64(left, true), view.getFloat64(bottom, true))
    const other = turn(view.getFloat64(right, true), view.getFloat64(top, true))
    const [x, y] = [(one.x + other.x) / 2, (one.y + other.y) / 2]
    const isOnPage = x >= 0 && x <= wide && y >= 0 && y <= high
    if (!isOnPage) return undefined
    return {
      left: Math.max(0, Math.min(one.x, other.x)),
      right: Math.min(wide, Math.max(one.x, other.x)),
      bottom: Math.max(0, Math.min(one.y, other.y)),
      top: Math.min(high, Math.max(one.y, other.y)),
    }
  }
}

/** @returns undefined for what ends a word: space, and what is no letter or more than one code tells. */
function tellLetter(code: number): string | undefined {
  if (HYPHENS.has(code)) return '-'
  if (code < 0 || code > LAST || (code >= FIRST_HALF && code <= LAST_HALF)) return undefined
  const letter = String.fromCodePoint(code)
  return /[\s\p{C}]/u.test(letter) ? undefined : letter
}

/** From where the page's content counts to where it is seen. @throws where the page has no box. */
function readTurn(pdfium: Pdfium, page: number): (x: number, y: number) => { x: number; y: number } {
  const rectangle = pdfium.pdfium.wasmExports.malloc(4 * Float32Array.BYTES_PER_ELEMENT)
  if (!pdfium.FPDF_GetPageBoundingBox(page, rectangle)) throw new Error('a page without a box')
  const view = new DataView(pdfium.pdfium.HEAPU8.buffer, rectangle)
  const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => view.getFloat32(at, true)) as [
    number,
    number,
    number,
    number,
  ]
  const quarters = pdfium.FPDFPage_GetRotation(page)
  if (quarters === 1) return (x, y) => ({ x: y - bottom, y: right - x })
  if (quarters === 2) return (x, y) => ({ x: right - x, y: top - y })
  if (quarters === 3) return (x, y) => ({ x: top - y, y: x - left })
  return (x, y) => ({ x: x - left, y: y - bottom })
}

function placeWord(places: readonly NonNullable<PlacedLetter>[]): PlacedWord {
  const text = places.map(({ letter }) => letter).join('')
  let { left, right, bottom, top } = places[0]!
  for (const place of places) {
    left = Math.min(left, place.left)
    right = Math.max(right, place.right)
    bottom = Math.min(bottom, place.bottom)
    top = Math.max(top, place.top)
  }
  const [width, height] = [right - left, top - bottom]
  const isUpright = places.length > 1 && height > 2 * width
  const runs = !isUpright ? 'across' : places.at(-1)!.bottom > places[0]!.bottom ? 'up' : 'down'
  return { text, left, bottom, width, height, runs }
}
