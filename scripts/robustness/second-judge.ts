import { init } from '@embedpdf/pdfium'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Picture } from './compare-pictures.ts'

/** Values of pdfium's public headers, fpdfview.h. */
const FORMAT_BGRA = 4
const FLAGS = 0x01 | 0x10 // annotations; red first
const WHITE = 0xff_ff_ff_ff

/**
 * Draws one page as PDFium does, with its fields, as Chrome shows it: a second opinion where poppler draws two things differently.
 * @param page Counted from 1.
 * @returns undefined when it cannot draw the page either.
 */
export async function drawByPdfium(path: string, page: number, dpi: number): Promise<Picture | undefined> {
  return openPage(path, page, (library, opened, file) => drawPage(library, opened, file, dpi))
}

/**
 * The text of one page as PDFium reads it: what its content draws, without annotations and fields.
 * @param page Counted from 1.
 * @returns undefined when it cannot read the page.
 */
export async function readByPdfium(path: string, page: number): Promise<string | undefined> {
  return openPage(path, page, readText)
}

type Pdfium = Awaited<ReturnType<typeof init>>

/** Each page has the library to itself: a hostile file may leave it unusable. */
async function openPage<T>(
  path: string,
  number: number,
  ask: (library: Pdfium, page: number, file: number) => T,
): Promise<T | undefined> {
  const wasmBinary = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  const bytes = await readFile(path)
  try {
    const library = await init({ wasmBinary: wasmBinary.buffer })
    library.PDFiumExt_Init()
    const address = library.pdfium.wasmExports.malloc(bytes.length)
    heapOf(library).set(bytes, address)
    const file = library.FPDF_LoadMemDocument(address, bytes.length, '')
    const page = file === 0 ? 0 : library.FPDF_LoadPage(file, number - 1)
    return page === 0 ? undefined : ask(library, page, file)
  } catch {
    return undefined
  }
}

/** Asked anew each time: the memory moves when it grows. */
const heapOf = (library: Pdfium): Uint8Array => library.pdfium.HEAPU8

function readText(library: Pdfium, page: number): string {
  const text = library.FPDFText_LoadPage(page)
  const letters = text === 0 ? 0 : library.FPDFText_CountChars(text)
  if (letters <= 0) return ''
  // UTF-16 with a zero behind it
  const address = library.pdfium.wasmExports.malloc(2 * (letters + 1))
  const written = library.FPDFText_GetText(text, 0, letters, address)
  return Buffer.from(heapOf(library).slice(address, address + 2 * Math.max(0, written - 1))).toString('utf16le')
}

function drawPage(library: Pdfium, page: number, file: number, dpi: number): Picture | undefined {
  const width = Math.max(1, Math.round((library.FPDF_GetPageWidthF(page) * dpi) / 72))
  const height = Math.max(1, Math.round((library.FPDF_GetPageHeightF(page) * dpi) / 72))
  const bitmap = library.FPDFBitmap_CreateEx(width, height, FORMAT_BGRA, 0, 0)
  if (bitmap === 0) return undefined
  library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  // what draws fields; before the page, as they are then left to it
  const fields = library.PDFiumExt_InitFormFillEnvironment(file, library.PDFiumExt_OpenFormFillInfo())
  if (fields !== 0) {
    library.FPDF_SetFormFieldHighlightAlpha(fields, 0)
    library.FORM_OnAfterLoadPage(page, fields)
  }
  // at this scale exactly: a page with a foot would else be scaled by a hair otherwise, and its thin lines drawn otherwise
  const [matrix, clip] = [
    writeFloats(library, [dpi / 72, 0, 0, dpi / 72, 0, 0]),
    writeFloats(library, [0, 0, width, height]),
  ]
  library.FPDF_RenderPageBitmapWithMatrix(bitmap, page, matrix, clip, FLAGS)
  if (fields !== 0) library.FPDF_FFLDraw(fields, bitmap, page, 0, 0, width, height, 0, FLAGS)
  const start = library.FPDFBitmap_GetBuffer(bitmap)
  const heap = heapOf(library)
  const pixels = new Uint8Array(width * height * 3)
  for (let i = 0; i < width * height; i++) {
    for (let channel = 0; channel < 3; channel++) pixels[3 * i + channel] = heap[start + 4 * i + channel]!
  }
  return { width, height, pixels }
}

/** @returns their address, as a structure of C. */
function writeFloats(library: Pdfium, floats: readonly number[]): number {
  const bytes = new Uint8Array(new Float32Array(floats).buffer)
  const address = library.pdfium.wasmExports.malloc(bytes.length)
  heapOf(library).set(bytes, address)
  return address
}
