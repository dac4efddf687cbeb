import { writeRawPdf } from '@proofdesk/certify/testing/raw-pdf'

const PIXELS_IN_ROW = 500

/** A page with a grey picture of noise, which no compression makes smaller. @param bytes About so large */
export function makeScan(bytes: number): Buffer {
  const rows = Math.max(1, Math.floor(bytes / PIXELS_IN_ROW))
  const drawing = 'q 400 0 0 400 72 200 cm /Im1 Do Q'
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /Im1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    `<< /Type /XObject /Subtype /Image /Width ${PIXELS_IN_ROW} /Height ${rows} /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${rows * PIXELS_IN_ROW} >>\nstream\n${drawNoise(rows * PIXELS_IN_ROW)}\nendstream`,
  ])
}

/** Letters, which nobody takes for the end of a stream. */
function drawNoise(bytes: number): string {
  let state = 1
  const letters = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    letters[at] = 97 + ((state >>> 16) % 26)
  }
  return letters.toString('latin1')
}
