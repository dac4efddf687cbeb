import { init } from '@embedpdf/pdfium'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Picture } from './compare-pictures.ts'

/** Values of pdfium's public headers, fpdfview.h. */
const FORMAT_BGRA = 4
const FLAGS = 0x01 | 0x10 // annotations; red first
const WHITE = 0xff_ff_ff_ff

/** What every Emscripten module has; the package's types leave it out. */
interface Heap {
  HEAPU8: Uint8Array
}

/**
 * Draws one page as PDFium does: the reader inside Chrome, and a second opinion where poppler draws two things differently.
 * @param page Counted from 1.
 * @returns undefined when it cannot draw the page either.
 */
export async function drawByPdfium(path: string, page: number, dpi: number): Promise<Picture | undefined> {
  const wasmBinary = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  try {
    const library = await init({ wasmBinary: wasmBinary.buffer })
    library.PDFiumExt_Init()
    return drawPage(library, await readFile(path), page - 1, dpi)
  } catch {
    return undefined
  }
}

function drawPage(
  library: Awaited<ReturnType<typeof init>>,
  bytes: Uint8Array,
  index: number,
  dpi: number,
): Picture | undefined {
  const heap = library.pdfium as typeof library.pdfium & Heap
  const address = library.pdfium.wasmExports.malloc(bytes.length)
  heap.HEAPU8.set(bytes, address)
  const file = library.FPDF_LoadMemDocument(address, bytes.length, '')
  const page = file === 0 ? 0 : library.FPDF_LoadPage(file, index)
  if (page === 0) return undefined
  const width = Math.max(1, Math.round((library.FPDF_GetPageWidthF(page) * dpi) / 72))
  const height = Math.max(1, Math.round((library.FPDF_GetPageHeightF(page) * dpi) / 72))
  const bitmap = library.FPDFBitmap_CreateEx(width, height, FORMAT_BGRA, 0, 0)
  if (bitmap === 0) return undefined
  library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, FLAGS)
  const start = library.FPDFBitmap_GetBuffer(bitmap)
  const pixels = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) {
    for (let channel = 0; channel < 3; channel++) pixels[3 * i + channel] = heap.HEAPU8[start + 4 * i + channel]!
  }
  return { width, height, pixels }
}
