import { openPdfium, type Picture } from '../pictures/open-pdfium.ts'
import { fitInside } from './fit-inside.ts'

/**
 * Draws the first page of a PDF, the longer side of which gets so many pixels.
 * @throws when the file has no page that can be drawn.
 */
export async function drawPdfPage(bytes: Uint8Array, side: number): Promise<Picture> {
  const drawn = await openPdfium(bytes)
  return drawn.drawPage(0, ({ width, height }) => fitInside(width, height, side))
}
