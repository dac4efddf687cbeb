import type { DrawnPage, DrawnPdf } from './open-pdfium.ts'
import type { PlacedWord } from './read-words.ts'

/** Of one word; strokes of letters so large that pixels between are left out are wider than that. */
const MOST_LOOKS = 4096

/**
 * The words of a page where its picture shows something, those of annotations and fields where these change it. Words of hidden layers, of
 * white on white and under what covers them are nowhere to be seen, and would bring out what was hidden.
 * @param page As it was drawn.
 * @throws when the page cannot be read, or drawn once more.
 */
export function findShownWords(drawn: DrawnPdf, index: number, page: DrawnPage): PlacedWord[] {
  const { own, marks } = drawn.readWords(index)
  return [...own, ...findAddedWords(marks, page, () => drawn.drawPage(index, () => page, true))].filter((word) =>
    showsAnything(page, word),
  )
}

/** @param drawBare Draws the same page without annotations and fields. */
function findAddedWords(words: readonly PlacedWord[], page: DrawnPage, drawBare: () => DrawnPage): PlacedWord[] {
  if (words.length === 0) return []
  const bare = drawBare()
  return words.filter((word) => findPixel(page, word, (at) => !isAlike(page.rgba, at, bare.rgba, at)))
}

const showsAnything = (page: DrawnPage, word: PlacedWord): boolean =>
  findPixel(page, word, (at, first) => !isAlike(page.rgba, at, page.rgba, first))

/** Whether there is such a pixel where a word is; told are its place and that of the first one. */
function findPixel(
  { width, height, size }: DrawnPage,
  word: PlacedWord,
  isSought: (at: number, first: number) => boolean,
): boolean {
  const [across, down] = [width / size.width, height / size.height]
  // a pixel more on each side: of flat letters the edges may be all there is
  const left = Math.max(0, Math.floor(word.left * across) - 1)
  const right = Math.min(width - 1, Math.ceil((word.left + word.width) * across) + 1)
  const top = Math.max(0, Math.floor((size.height - word.bottom - word.height) * down) - 1)
  const bottom = Math.min(height - 1, Math.ceil((size.height - word.bottom) * down) + 1)
  const step = Math.max(1, Math.ceil(Math.sqrt(((right - left + 1) * (bottom - top + 1)) / MOST_LOOKS)))
  const first = 4 * (top * width + left)
  for (let y = top; y <= bottom; y += step)
    for (let x = left; x <= right; x += step) if (isSought(4 * (y * width + x), first)) return true
  return false
}

const isAlike = (a: Uint8Array, at: number, b: Uint8Array, bt: number): boolean =>
  a[at] === b[bt] && a[at + 1] === b[bt + 1] && a[at + 2] === b[bt + 2]
