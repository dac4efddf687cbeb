import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { init } from '@embedpdf/pdfium'
import { fitInside, type Picture } from './picture.ts'

/** Values of pdfium's public headers, fpdfview.h. */
const FORMAT_BGRA = 4
const DRAW_ANNOTATIONS = 0x01
const REVERSE_BYTE_ORDER = 0x10
const FLAGS = DRAW_ANNOTATIONS | REVERSE_BYTE_ORDER
const NO_PASSWORD = ''
const WHITE = 0xff_ff_ff_ff

type Pdfium = Awaited<ReturnType<typeof init>>
interface WasmHook {
  instantiateWasm(imports: WebAssembly.Imports, onReady: (instance: WebAssembly.Instance) => void): WebAssembly.Exports
}

let compiled: Promise<WebAssembly.Module> | undefined

/**
 * Draws the first page on white paper as a reader shows it: cropped and turned, with its annotations and form fields.
 * The library runs in WebAssembly: it reaches no file, no network and no script of the document.
 * @throws when the file has no page that can be drawn.
 */
export async function drawPdfPage(bytes: Uint8Array, side: number): Promise<Picture> {
  // a new instance for each file: what one leaves behind, also after a crash, does not reach the next one, and needs no
  // freeing
  const pdfium = await startPdfium()
  const address = pdfium.pdfium.wasmExports.malloc(bytes.length)
  if (address === 0) throw new Error('the file does not fit into memory')
  pdfium.pdfium.HEAPU8.set(bytes, address)
  const file = pdfium.FPDF_LoadMemDocument(address, bytes.length, NO_PASSWORD)
  if (file === 0) throw new Error(`the file cannot be opened (${pdfium.FPDF_GetLastError()})`)
  const page = pdfium.FPDF_LoadPage(file, 0)
  if (page === 0) throw new Error('the first page cannot be loaded')

  const { width, height } = fitInside(pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page), side)
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, FORMAT_BGRA, 0, 0)
  if (bitmap === 0) throw new Error('no room for the picture')
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(file, pdfium.PDFiumExt_OpenFormFillInfo())
  pdfium.FORM_OnAfterLoadPage(page, form)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, FLAGS)
  pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, FLAGS)

  const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
  // rows follow each other without a gap at four bytes a pixel
  return { width, height, rgba: pdfium.pdfium.HEAPU8.slice(start, start + width * height * 4) }
}

async function startPdfium(): Promise<Pdfium> {
  compiled ??= readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))).then((wasm) =>
    WebAssembly.compile(wasm),
  )
  const wasm = await compiled
  const hook: WasmHook = {
    instantiateWasm(imports, onReady) {
      const instance = new WebAssembly.Instance(wasm, imports)
      onReady(instance)
      return instance.exports
    },
  }
  const pdfium = await init(hook)
  pdfium.PDFiumExt_Init()
  return pdfium
}
