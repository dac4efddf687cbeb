import { hasPdfHeader, PDF_HEADER_WITHIN } from '@proofdesk/proof/pdf-header'

const PICTURE = /^(?:\xff\xd8\xff|\x89PNG)/

/** Whether a file begins as a PDF, JPEG or PNG does, whatever it is called. @throws DOMException where it cannot be read. */
export async function canBeCertified(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, PDF_HEADER_WITHIN).arrayBuffer())
  return hasPdfHeader(bytes) || PICTURE.test(String.fromCodePoint(...bytes.subarray(0, 8)))
}
