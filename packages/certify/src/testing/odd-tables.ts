import { makeOnePage } from './odd-pdfs.ts'
import { writeRawPdf } from './raw-pdf.ts'

/** The page's picture stands at the first byte of the file, says the table, as macOS writes of objects that are not there. */
export const makePlaceless = (): Buffer =>
  Buffer.from(
    makeOnePage({
      content: 'q 99 0 0 99 60 60 cm /Im Do Q BT /F1 24 Tf 60 500 Td (Original words) Tj ET',
      page: '/Resources << /Font << /F1 5 0 R >> /XObject << /Im 6 0 R >> >>',
      more: [''],
      first: 4,
    })
      .toString('latin1')
      .replace('0000000000 00001 f', '0000000000 00000 n'),
    'latin1',
  )

/** A stream of entries with places of eight bytes. */
export function makeWidePlaces(): Buffer {
  const words = 'BT /F1 24 Tf 60 500 Td (Original words) Tj ET'
  return writeRawPdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
      `<< /Length ${words.length} >>\nstream\n${words}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ],
    { xrefStream: { root: 1, compressed: [], container: 0, placeBytes: 8 } },
  )
}
