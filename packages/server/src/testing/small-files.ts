import { writeRawPdf } from '@proofdesk/certify/testing/raw-pdf'

/** Pixels in a row of the picture that makes a PDF larger. */
const PAD_WIDTH = 1000

/** A PDF with a line of text on each page; `padBytes` of a grey picture on the first make it larger, not longer. */
export function makePdf(pages = 1, text = 'Proofdesk', padBytes = 0): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '', '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>']
  const kids: string[] = []
  const picture = padBytes > 0 ? ` /XObject << /Im1 ${4 + 2 * pages} 0 R >>` : ''
  for (let page = 1; page <= pages; page += 1) {
    const drawing = page === 1 && padBytes > 0 ? 'q 400 0 0 400 72 200 cm /Im1 Do Q ' : ''
    const content = `${drawing}BT /F1 24 Tf 72 720 Td (${text} ${page}) Tj ET`
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >>${page === 1 ? picture : ''} >> /Contents ${objects.length} 0 R >>`,
    )
    kids.push(`${objects.length} 0 R`)
  }
  objects[1] = `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`
  const pad = noise(padBytes)
  if (padBytes > 0)
    objects.push(
      `<< /Type /XObject /Subtype /Image /Width ${PAD_WIDTH} /Height ${Math.floor(padBytes / PAD_WIDTH)} /ColorSpace /DeviceGray /BitsPerComponent 8 /Length ${padBytes} >>\nstream\n${pad}\nendstream`,
    )
  return writeRawPdf(objects)
}

/** The same bright paper every time, as scanners see it; no one mistakes it for the end of a stream. */
function noise(bytes: number): string {
  let state = 1
  const greys = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    greys[at] = 0x80 + ((state >>> 16) % 0x80)
  }
  return greys.toString('latin1')
}

/** A red square of 8 by 8 pixels. */
export function makePng(): Buffer {
  const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGM4IWeDFTEMLQkAd2xIgco4MNEAAAAASUVORK5CYII='
  return Buffer.from(base64, 'base64')
}

/** A red square of 8 by 8 pixels. */
export function makeJpeg(): Buffer {
  const base64 = [
    '/9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBD',
    'ARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIAAgD',
    'ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAA',
    'Awb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCaAJQP/9k=',
  ]
  return Buffer.from(base64.join(''), 'base64')
}
