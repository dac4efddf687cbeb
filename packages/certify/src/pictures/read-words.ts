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
const MOST_LETTERS = 200_000
/** Parts of a point in which places are told. */
const FINE = 100
/** What PDFium puts for a hyphen at the end of a line. */
const HYPHENS = new Set([0x02, 0xad, 0xff_fe])
const LAST = 0xff_ff
const [FIRST_HALF, LAST_HALF] = [0xd8_00, 0xdf_ff]

/**
 * The words of a page as PDFium reads them out of what its content draws, in its order; those of annotations and fields are not among them.
 * Letters beyond the first 65,536 are left out.
 */
export function readPlacedWords(pdfium: Pdfium, page: number): PlacedWord[] {
  const text = pdfium.FPDFText_LoadPage(page)
  const letters = text === 0 ? 0 : pdfium.FPDFText_CountChars(text)
  if (letters <= 0 || letters > MOST_LETTERS) return []
  const [wide, high] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)]
  const box = pdfium.pdfium.wasmExports.malloc(4 * Float64Array.BYTES_PER_ELEMENT)
  const at = pdfium.pdfium.wasmExports.malloc(2 * Int32Array.BYTES_PER_ELEMENT)
  const words: PlacedWord[] = []
  let word = ''
  let places: Place[] = []
  const end = (): void => {
    if (word !== '') words.push(placeWord(word, places))
    word = ''
    places = []
  }
  for (let index = 0; index < letters; index++) {
    const code = pdfium.FPDFText_GetUnicode(text, index)
    const place = readPlace(index)
    const letter = HYPHENS.has(code) ? '-' : String.fromCodePoint(code)
    if (!place || code > LAST || (code >= FIRST_HALF && code <= LAST_HALF) || /[\s\p{C}]/u.test(letter)) end()
    else {
      word += letter
      places.push(place)
    }
  }
  end()
  return words

  /** @returns undefined for a letter beside the page. */
  function readPlace(index: number): Place | undefined {
    const [left, right, bottom, top] = [0, 8, 16, 24].map((offset) => box + offset) as [number, number, number, number]
    if (!pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)) return undefined
    const view = new DataView(pdfium.pdfium.HEAPU8.buffer)
    const corners = [
      [left, bottom],
      [right, top],
    ].map(([x, y]) => turn(view.getFloat64(x!, true), view.getFloat64(y!, true)))
    const [one, other] = corners
    if (!one || !other) return undefined
    const [x, y] = [(one.x + other.x) / 2, (one.y + other.y) / 2]
    if (x < 0 || x > wide || y < 0 || y > high) return undefined
    return {
      left: Math.min(one.x, other.x),
      right: Math.max(one.x, other.x),
      bottom: Math.min(one.y, other.y),
      top: Math.max(one.y, other.y),
    }
  }

  /** From where the page's content counts to where it is seen. */
  function turn(x: number, y: number): { x: number; y: number } | undefined {
    const [across, down] = [Math.round(wide * FINE), Math.round(high * FINE)]
    if (!pdfium.FPDF_PageToDevice(page, 0, 0, across, down, 0, x, y, at, at + 4)) return undefined
    const view = new DataView(pdfium.pdfium.HEAPU8.buffer)
    return { x: view.getInt32(at, true) / FINE, y: high - view.getInt32(at + 4, true) / FINE }
  }
}

function placeWord(text: string, places: readonly Place[]): PlacedWord {
  const left = Math.min(...places.map((place) => place.left))
  const bottom = Math.min(...places.map((place) => place.bottom))
  const width = Math.max(...places.map((place) => place.right)) - left
  const height = Math.max(...places.map((place) => place.top)) - bottom
  const isUpright = places.length > 1 && height > 2 * width
  const runs = !isUpright ? 'across' : places.at(-1)!.bottom > places[0]!.bottom ? 'up' : 'down'
  return { text, left, bottom, width, height, runs }
}
