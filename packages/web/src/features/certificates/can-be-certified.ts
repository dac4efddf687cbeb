import { hasPdfHeader, PDF_HEADER_WITHIN } from '@proofdesk/proof/pdf-header'

const PICTURE = /^(?:\xff\xd8\xff|\x89PNG)/

/** Whether a file begins as a PDF, JPEG or PNG does, whatever it is called. @throws DOMException where it cannot be read. */
export async function canBeCertified(file: Blob): Promise<boolean> {
  const bytes = await readBeginning(file)
  return hasPdfHeader(bytes) || isPictureBeginning(bytes)
}

/** The same of a JPEG or PNG that is no PDF besides. */
export async function isPicture(file: Blob): Promise<boolean> {
  const bytes = await readBeginning(file)
  return isPictureBeginning(bytes) && !hasPdfHeader(bytes)
}

async function readBeginning(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.slice(0, PDF_HEADER_WITHIN).arrayBuffer())
}

function isPictureBeginning(bytes: Uint8Array<ArrayBuffer>): boolean {
  return PICTURE.test(String.fromCodePoint(...bytes.subarray(0, 8)))
}
