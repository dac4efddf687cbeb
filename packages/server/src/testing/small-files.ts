import { crc32, deflateSync } from 'node:zlib'

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
  let body = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const offsets: number[] = []
  objects.forEach((object, index) => {
    offsets.push(body.length)
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
  })
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, 'latin1')
}

/** The same letters every time, which no one mistakes for the end of a stream. */
function noise(bytes: number): string {
  let state = 1
  const letters = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    letters[at] = 97 + ((state >>> 16) % 26)
  }
  return letters.toString('latin1')
}

/** A red square of 8 by 8 pixels. */
export function makePng(): Buffer {
  const header = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0])
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(24, Buffer.from([200, 30, 60]))])
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(8).fill(row)))
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
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
