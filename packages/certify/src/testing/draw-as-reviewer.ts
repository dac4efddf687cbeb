import { AnnotationMode, getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { fileURLToPath } from 'node:url'

/** Red, green, blue and opacity of each pixel, row by row. */
export interface DrawnPage {
  width: number
  height: number
  rgba: Uint8ClampedArray
}

const folderOf = (name: string): string =>
  fileURLToPath(new URL(`${name}/`, import.meta.resolve('pdfjs-dist/package.json')))

/**
 * Draws a page as the reader in the page does, with the same options; the canvas is the one that pdf.js brings along for Node.
 * @param page Counted from 1.
 * @param measureScale Pixels for each point, given the size of the page in points.
 */
export async function drawPageAsReviewer(
  bytes: Uint8Array,
  page: number,
  measureScale: (width: number, height: number) => number,
): Promise<DrawnPage> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: 0,
    enableXfa: false,
    useSystemFonts: false,
    useWasm: false,
    cMapUrl: folderOf('cmaps'),
    standardFontDataUrl: folderOf('standard_fonts'),
    wasmUrl: folderOf('wasm'),
  })
  try {
    const document = await task.promise
    const opened = await document.getPage(page)
    const plain = opened.getViewport({ scale: 1 })
    const viewport = opened.getViewport({ scale: measureScale(plain.width, plain.height) })
    const factory = document.canvasFactory as CanvasFactory
    const [width, height] = [Math.round(viewport.width), Math.round(viewport.height)]
    const { canvas, context } = factory.create(width, height)
    await opened.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE }).promise
    return { width, height, rgba: context.getImageData(0, 0, width, height).data }
  } finally {
    await task.destroy()
  }
}

interface CanvasFactory {
  create(width: number, height: number): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D }
}
