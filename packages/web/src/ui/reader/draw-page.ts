import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { DRAWN_ANNOTATIONS } from './open-pdf.ts'
import type { PageSize } from './page-flow.ts'

/** CSS pixels in a point: documents are measured in 1/72 inch, screens in 1/96. */
export const PIXELS_PER_POINT = 96 / 72

/** Of one canvas; phones refuse much larger ones. Beyond it a page is drawn coarser. */
const CANVAS_MAX_PIXELS = 12 * 1024 * 1024

/** Turned by the reader, in degrees clockwise, on top of what the document says. */
export type Turn = 0 | 90 | 180 | 270

/** A quarter further. */
export function turnOn(turn: Turn): Turn {
  return ((turn + 90) % 360) as Turn
}

export async function findPage(pdf: PDFDocumentProxy, index: number): Promise<PDFPageProxy> {
  return pdf.getPage(index + 1)
}

export function viewPage(page: PDFPageProxy, scale: number, turn: Turn) {
  return page.getViewport({ scale: scale * PIXELS_PER_POINT, rotation: (page.rotate + turn) % 360 })
}

/** @returns its size on paper in CSS pixels, not turned by the reader. */
export function measurePage(page: PDFPageProxy): PageSize {
  const { width, height } = viewPage(page, 1, 0)
  return { width, height }
}

/**
 * Draws a page as large as a box on the screen, as sharp as the screen.
 * @returns undefined when it was stopped.
 * @throws whatever pdf.js cannot draw.
 */
export async function drawPage(
  page: PDFPageProxy,
  box: PageSize,
  turn: Turn,
  signal: AbortSignal,
): Promise<HTMLCanvasElement | undefined> {
  const paper = viewPage(page, 1, turn)
  const viewport = viewPage(page, box.width / paper.width, turn)
  const density = Math.min(devicePixelRatio || 1, Math.sqrt(CANVAS_MAX_PIXELS / (box.width * box.height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(box.width * density))
  canvas.height = Math.max(1, Math.floor(box.height * density))
  const task = page.render({
    canvas,
    viewport,
    transform: [density, 0, 0, density, 0, 0],
    annotationMode: DRAWN_ANNOTATIONS,
  })
  const stop = () => task.cancel()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await task.promise
    if (!signal.aborted) return canvas
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
  releaseCanvas(canvas)
  return undefined
}

/** Gives the memory back at once; browsers otherwise wait for their next clean-up. */
export function releaseCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0
  canvas.height = 0
  canvas.remove()
}
