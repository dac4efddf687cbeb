import { streamOf } from './ambiguous-file.ts'
import { writeRawPdf } from './raw-pdf.ts'

const WORDS = 'BT /F1 24 Tf 60 500 Td (Original words) Tj ET'

/**
 * Pages with a note that has a picture, a filled field, a link and a layer that is off, named again by the page tree.
 * @param order Of the pages by number, 1 and 2.
 */
export function makeRepeatedPages(order: readonly (1 | 2)[]): Buffer {
  const page = (words: string): string[] => [
    streamOf(`${WORDS.replace('Original', words)} /OC /L1 BDC BT /F1 60 Tf 60 200 Td (HIDDEN) Tj ET EMC`),
    `[${['FreeText /AP << /N 5 0 R >>', 'Widget /FT /Tx /T (name) /V (Value)', 'Link /Dest [3 0 R /Fit]']
      .map(
        (kind, i) =>
          `<< /Type /Annot /F 4 /DA (/F1 12 Tf 0 g) /Rect [60 ${300 + 50 * i} 300 ${340 + 50 * i}] /Subtype /${kind} >>`,
      )
      .join(' ')}]`,
  ]
  const dict = (content: number): string =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots ${content + 1} 0 R /Contents ${content} 0 R ` +
    '/Resources << /Font << /F1 6 0 R >> /Properties << /L1 11 0 R >> >> >>'
  const kids = order.map((number) => `${number + 2} 0 R`).join(' ')
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [11 0 R] /D << /Order [11 0 R] /OFF [11 0 R] >> >> ' +
      '/AcroForm << /Fields [] /NeedAppearances true /DR << /Font << /F1 6 0 R >> >> >> >>',
    `<< /Type /Pages /Count ${order.length} /Kids [${kids}] >>`,
    dict(7),
    dict(9),
    streamOf(
      'BT /F1 12 Tf 4 14 Td (Margin note) Tj ET',
      '/Type /XObject /Subtype /Form /BBox [0 0 240 40] /Resources << /Font << /F1 6 0 R >> >>',
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...page('First'),
    ...page('Second'),
    '<< /Type /OCG /Name (Hidden) >>',
  ])
}
