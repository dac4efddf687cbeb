import { drawPageAsReviewer } from '@proofdesk/certify/testing/draw-as-reviewer'
import { readPageUnit } from '@proofdesk/certify/testing/drawn-words'
import { readFile } from 'node:fs/promises'
import type { Picture } from './compare-pictures.ts'

const POINTS_PER_INCH = 72

/**
 * Draws one page as pdf.js does, the reader in the page: what it shows of the original is what a copy is to show.
 * @param page Counted from 1.
 * @returns undefined when it cannot draw the page.
 */
export async function drawByReviewer(path: string, page: number, dpi: number): Promise<Picture | undefined> {
  try {
    const scale = dpi / POINTS_PER_INCH
    const { width, height, rgba } = await drawPageAsReviewer(await readFile(path), page, () => scale)
    const pixels = new Uint8Array(width * height * 3)
    for (let i = 0; i < width * height; i++) pixels.set(rgba.subarray(4 * i, 4 * i + 3), 3 * i)
    return { width, height, pixels }
  } catch {
    return undefined
  }
}

/** Points to a unit of a page (ISO 32000-2 table 31, /UserUnit); 1 where that is not known. */
export async function readUnit(path: string, page: number): Promise<number> {
  try {
    return await readPageUnit(await readFile(path), page)
  } catch {
    return 1
  }
}
