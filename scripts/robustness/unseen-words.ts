import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Picture } from './compare-pictures.ts'
import { splitWords } from './compare-words.ts'
import { drawPages, placeWords, type SeenWord } from './poppler.ts'
import { drawByReviewer } from './reviewer-judge.ts'
import { drawByPdfium } from './second-judge.ts'

/** Letters of three points are some pixels high. */
const DPI = 150
const POINTS_PER_INCH = 72

/**
 * The words that poppler reads on a page and nobody sees: where they stand poppler, PDFium and pdf.js all draw one colour.
 * @returns none where one of the three does not draw the page, or more than half of the words would be.
 */
export async function listUnseenWords(path: string, page: number): Promise<string[]> {
  const words = await placeWords(path, page)
  const pictures = words.length === 0 ? [] : await drawByAll(path, page)
  if (pictures.length === 0) return []
  const unseen = words.filter((word) => pictures.every((picture) => isOneColour(picture, word)))
  // where most are, their places are not those of the pictures
  if (unseen.length > words.length / 2) return []
  return unseen.flatMap(({ text }) => splitWords(text))
}

async function drawByAll(path: string, page: number): Promise<Picture[]> {
  const folder = mkdtempSync(join(tmpdir(), 'robustness-words-'))
  try {
    const [byPoppler] = await drawPages(path, page, page, DPI, folder)
    const pictures = [byPoppler, await drawByPdfium(path, page, DPI), await drawByReviewer(path, page, DPI)]
    const drawn = pictures.filter((picture) => picture !== undefined)
    return drawn.length === pictures.length ? drawn : []
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Beyond the page there is nothing to be seen. */
function isOneColour(
  { width, height, pixels }: Picture,
  { left, top, right, bottom }: Omit<SeenWord, 'text'>,
): boolean {
  const scale = DPI / POINTS_PER_INCH
  const [x0, y0] = [Math.max(0, Math.floor(left * scale)), Math.max(0, Math.floor(top * scale))]
  const [x1, y1] = [Math.min(width - 1, Math.ceil(right * scale)), Math.min(height - 1, Math.ceil(bottom * scale))]
  const first = 3 * (y0 * width + x0)
  for (let y = y0; y <= y1; y++)
    for (let x = x0; x <= x1; x++) {
      const at = 3 * (y * width + x)
      for (let channel = 0; channel < 3; channel++) if (pixels[at + channel] !== pixels[first + channel]) return false
    }
  return true
}
