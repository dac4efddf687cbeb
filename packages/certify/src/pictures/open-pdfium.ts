import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { init } from '@embedpdf/pdfium'
import { hasWordyMarks, readMarkLetters } from './read-mark-letters.ts'
import { joinWords, type PlacedWord, readPlacedLetters } from './read-words.ts'

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

/** Pixels as they are drawn: rows from the top, four bytes each, red first. */
export interface Picture {
  width: number
  height: number
  rgba: Uint8Array
}

/** Points, as the page is seen: cropped and turned. */
export interface PageSize {
  width: number
  height: number
}

export interface DrawnPage extends Picture {
  size: PageSize
}

export interface PageWords {
  /** Of its content. */
  own: PlacedWord[]
  /** Of its annotations and fields. */
  marks: PlacedWord[]
}

/** A PDF as PDFium reads it, the reader in Chrome. */
export interface DrawnPdf {
  pages: number
  /**
   * Draws a page on white paper as a reader shows it: cropped and turned, with its annotations and form fields.
   * @param index From 0.
   * @param choose How many pixels it gets.
   * @param isBare Without annotations and fields.
   * @throws when the page cannot be drawn.
   */
  drawPage(index: number, choose: (size: PageSize) => PageSize, isBare?: boolean): DrawnPage
  /** Its words, where they are seen. @throws when the page cannot be read. */
  readWords(index: number): PageWords
}

let compiled: Promise<WebAssembly.Module> | undefined

/**
 * Opens a PDF for drawing. The library runs in WebAssembly: it reaches no file, no network and no script of the document. Each
 * file gets an instance of its own: what one leaves behind, also after a crash, does not reach the next one, and needs no freeing.
 * @throws when the file cannot be opened.
 */
export async function openPdfium(bytes: Uint8Array): Promise<DrawnPdf> {
  const pdfium = await startPdfium()
  const address = pdfium.pdfium.wasmExports.malloc(bytes.length)
  if (address === 0) throw new Error('the file does not fit into memory')
  pdfium.pdfium.HEAPU8.set(bytes, address)
  const file = openFile()
  const form = openForm(file)
  let flat: { file: number; form: number } | undefined

  function openFile(): number {
    const opened = pdfium.FPDF_LoadMemDocument(address, bytes.length, NO_PASSWORD)
    if (opened === 0) throw new Error(`the file cannot be opened (${pdfium.FPDF_GetLastError()})`)
    return opened
  }

  function openForm(of: number): number {
    const opened = pdfium.PDFiumExt_InitFormFillEnvironment(of, pdfium.PDFiumExt_OpenFormFillInfo())
    // the colour over fields that wait to be filled in is a reader's own
    pdfium.FPDF_SetFormFieldHighlightAlpha(opened, 0)
    return opened
  }

  function loadPage(index: number, of = file): number {
    const page = pdfium.FPDF_LoadPage(of, index)
    if (page === 0) throw new Error('the page cannot be loaded')
    return page
  }

  /** Of the file opened once more, whose pages are never drawn. */
  function loadFlatPage(index: number): number {
    if (!flat) {
      const again = openFile()
      flat = { file: again, form: openForm(again) }
    }
    const page = loadPage(index, flat.file)
    // which makes the pictures of fields that have none
    pdfium.FORM_OnAfterLoadPage(page, flat.form)
    pdfium.FORM_OnBeforeClosePage(page, flat.form)
    return page
  }

  return {
    pages: pdfium.FPDF_GetPageCount(file),
    drawPage(index, choose, isBare = false) {
      const page = loadPage(index)
      const size = { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) }
      const { width, height } = choose(size)
      const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, FORMAT_BGRA, 0, 0)
      if (bitmap === 0) throw new Error('no room for the picture')
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
      pdfium.FORM_OnAfterLoadPage(page, form)
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, isBare ? REVERSE_BYTE_ORDER : FLAGS)
      if (!isBare) pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, FLAGS)
      const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
      // rows follow each other without a gap at four bytes a pixel
      const rgba = pdfium.pdfium.HEAPU8.slice(start, start + width * height * 4)
      pdfium.FPDFBitmap_Destroy(bitmap)
      pdfium.FORM_OnBeforeClosePage(page, form)
      pdfium.FPDF_ClosePage(page)
      return { width, height, rgba, size }
    },
    readWords(index) {
      const page = loadPage(index)
      const own = readPlacedLetters(pdfium, page)
      const isMarked = hasWordyMarks(pdfium, page)
      pdfium.FPDF_ClosePage(page)
      const marks = isMarked ? readMarkLetters(pdfium, () => loadFlatPage(index), own) : []
      return { own: joinWords(own), marks: joinWords(marks) }
    },
  }
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
