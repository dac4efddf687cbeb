import { init } from '@embedpdf/pdfium'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

/** Reference pictures are A4 at 100 dots per inch. */
const SIZE = { width: 827, height: 1169 }
/** Values of PDFium's fpdfview.h. */
const FORMAT_BGRX = 3
const WHITE = 0xff_ff_ff_ff
/**
 * Pictures are blurred and small differences passed over, so that another version of the renderer may set edges of letters
 * a little otherwise. A changed letter of running text differs in a dozen pixels or more.
 */
const BLUR = 0.8
const MAX_DIFFERENCE = 40

export const findPicture = (name: string): URL => new URL(`pictures/${name}.png`, import.meta.url)

type Pdfium = Awaited<ReturnType<typeof init>>
let started: Promise<Pdfium> | undefined

/** PDFium from a package that is pinned, because installed renderers draw letters differently from machine to machine. */
async function startPdfium(): Promise<Pdfium> {
  const wasm = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer })
  pdfium.PDFiumExt_Init()
  return pdfium
}

/** The first page in few greys, small enough to be kept. */
export async function renderPicture(pdfPath: string): Promise<Buffer> {
  const pdfium = await (started ??= startPdfium())
  const heap = pdfium.pdfium as typeof pdfium.pdfium & { HEAPU8: Uint8Array }
  const bytes = await readFile(pdfPath)
  const address = pdfium.pdfium.wasmExports.malloc(bytes.length)
  heap.HEAPU8.set(bytes, address)
  const file = pdfium.FPDF_LoadMemDocument(address, bytes.length, '')
  const page = pdfium.FPDF_LoadPage(file, 0)
  const bitmap = pdfium.FPDFBitmap_CreateEx(SIZE.width, SIZE.height, FORMAT_BGRX, 0, 0)
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, SIZE.width, SIZE.height, WHITE)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, SIZE.width, SIZE.height, 0, 0)
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
  const pixels = heap.HEAPU8.slice(start, start + SIZE.width * SIZE.height * 4)
  pdfium.FPDFBitmap_Destroy(bitmap)
  pdfium.FPDF_ClosePage(page)
  pdfium.FPDF_CloseDocument(file)
  pdfium.pdfium.wasmExports.free(address)
  const picture = sharp(pixels, { raw: { ...SIZE, channels: 4 } })
    .removeAlpha()
    .greyscale()
  return picture.png({ palette: true, colours: 8, dither: 0, compressionLevel: 9, effort: 10 }).toBuffer()
}

/** @returns how many pixels of the blurred pictures differ clearly. */
export async function countDifferences(picture: Buffer, name: string): Promise<number> {
  const [first, second] = await Promise.all([blurPicture(picture), blurPicture(await readFile(findPicture(name)))])
  if (first.length !== second.length) return Number.POSITIVE_INFINITY
  return first.reduce((count, value, i) => (Math.abs(value - second[i]!) > MAX_DIFFERENCE ? count + 1 : count), 0)
}

async function blurPicture(picture: Buffer): Promise<Uint8Array> {
  return sharp(picture).greyscale().blur(BLUR).raw().toBuffer()
}
