/** As far into a file as readers of PDFs look for its header. */
const PDF_HEADER_WITHIN = 1024

/** How files begin that are sealed or certified; a PDF may have something before its header. */
const PDF = /%PDF-/
const PICTURE = /^(?:\xff\xd8\xff|\x89PNG)/

/** Whether a file begins as a PDF, JPEG or PNG does, whatever it is called. @throws DOMException where it cannot be read. */
export async function canBeCertified(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, PDF_HEADER_WITHIN).arrayBuffer())
  const beginning = String.fromCodePoint(...bytes)
  return PDF.test(beginning) || PICTURE.test(beginning)
}
