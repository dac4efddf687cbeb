import type { DrawnPage } from './open-pdfium.ts'
import type { PlacedWord } from './read-words.ts'

/** Of one word; strokes of letters so large that pixels between are left out are wider than that. */
const MOST_LOOKS = 4096

/**
 * The words of a page where its picture shows something. Those of hidden layers, of white on white and under what covers them are nowhere
 * to be seen, and would bring out what was hidden.
 */
export function findShownWords(page: DrawnPage, words: readonly PlacedWord[]): PlacedWord[] {
  return words.filter((word) => showsAnything(page, word))
}

function showsAnything({ width, height, rgba, size }: DrawnPage, word: PlacedWord): boolean {
  const [across, down] = [width / size.width, height / size.height]
  // a pixel more on each side: of flat letters the edges may be all there is
  const left = Math.max(0, Math.floor(word.left * across) - 1)
  const right = Math.min(width - 1, Math.ceil((word.left + word.width) * across) + 1)
  const top = Math.max(0, Math.floor((size.height - word.bottom - word.height) * down) - 1)
  const bottom = Math.min(height - 1, Math.ceil((size.height - word.bottom) * down) + 1)
  const step = Math.max(1, Math.ceil(Math.sqrt(((right - left + 1) * (bottom - top + 1)) / MOST_LOOKS)))
  const first = 4 * (top * width + left)
  for (let y = top; y <= bottom; y += step)
    for (let x = left; x <= right; x += step) {
      const at = 4 * (y * width + x)
      if (rgba[at] !== rgba[first] || rgba[at + 1] !== rgba[first + 1] || rgba[at + 2] !== rgba[first + 2]) return true
    }
  return false
}
