import { IMAGE_MAX_PIXELS } from '@proofdesk/contract/limits'
import {
  AnnotationMode,
  getDocument,
  InvalidPDFException,
  PasswordException,
  PDFWorker,
  VerbosityLevel,
  type PDFDocumentProxy,
} from 'pdfjs-dist'
// The address of a file of the build, which the plain file does not export.
// oxlint-disable-next-line import/default
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

/** Where the build puts what pdf.js loads by itself: character maps, standard fonts, picture decoders. */
const RESOURCES = new URL(PDF_RESOURCES, document.baseURI).href

/** Fields and annotations are drawn as they show; nothing in them is interactive. */
export const DRAWN_ANNOTATIONS = AnnotationMode.ENABLE

/** Why a PDF is not shown. */
export type PdfFault = 'password' | 'unreadable'

export class PdfError extends Error {
  readonly fault: PdfFault

  constructor(fault: PdfFault, cause: unknown) {
    super(`The PDF cannot be shown: ${fault}`, { cause })
    this.fault = fault
  }
}

export interface OpenPdf {
  pdf: PDFDocumentProxy
  /** Ends its worker too, whatever that is doing. */
  close: () => void
}

/**
 * Opens a PDF with a worker of its own, so that closing it stops also a document that never comes to an end.
 * @param signal Stops opening.
 * @throws PdfError when it cannot be shown.
 */
export async function openPdf(bytes: Uint8Array, signal: AbortSignal): Promise<OpenPdf> {
  const port = startWorker()
  const task = getDocument({
    data: bytes,
    // `null` is what the type of the option says for "made by pdf.js itself".
    worker: new PDFWorker({ port: port as unknown as null, verbosity: VerbosityLevel.ERRORS }),
    verbosity: VerbosityLevel.ERRORS,
    cMapUrl: `${RESOURCES}cmaps/`,
    standardFontDataUrl: `${RESOURCES}standard_fonts/`,
    wasmUrl: `${RESOURCES}wasm/`,
    // The decoders in plain JavaScript: WebAssembly would need 'wasm-unsafe-eval' in the policy of the page.
    useWasm: false,
    enableXfa: false,
    // The same on every device, and no document learns which fonts are installed.
    useSystemFonts: false,
    disableWorkerRendering: true,
    // What was uploaded has none of more. A larger one would be left out rather than let a small file fill the memory.
    maxImageSize: IMAGE_MAX_PIXELS,
  })
  const close = () => {
    port.terminate()
    void task.destroy().catch(() => {})
  }
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    port.addEventListener('error', (event) => reject(new PdfError('unreadable', event.message)), { once: true })
  })
  try {
    return { pdf: await Promise.race([task.promise, stopped]), close }
  } catch (error) {
    close()
    throw signal.aborted ? error : explain(error)
  }
}

function explain(error: unknown): PdfError {
  if (error instanceof PdfError) return error
  if (error instanceof PasswordException) return new PdfError('password', error)
  if (error instanceof InvalidPDFException) return new PdfError('unreadable', error)
  return new PdfError('unreadable', error)
}

let policy: { createScriptURL(address: string): unknown } | undefined

/** Pages require trusted types; this lets through one address and no other. */
function startWorker(): Worker {
  const address = new URL(workerAddress, document.baseURI).href
  const types = typeof trustedTypes === 'undefined' ? undefined : trustedTypes
  policy ??= types?.createPolicy('proofdesk-pdf-worker', {
    createScriptURL: (given) => {
      if (given !== address) throw new TypeError('Only the PDF worker is let through.')
      return given
    },
  })
  return new Worker((policy?.createScriptURL(address) ?? address) as string, { type: 'module' })
}
