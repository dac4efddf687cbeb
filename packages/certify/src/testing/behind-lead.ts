import { makeOnePage } from './odd-pdfs.ts'

/** PDFs whose header does not stand at the first byte. */

/** What programs for text leave before the header. Places count from the header, or from the first byte of the file. */
export function makeBehindLead(lead: string, countedFrom: 'header' | 'start'): Buffer {
  const moved = countedFrom === 'start' ? lead.length : 0
  const pdf = makeOnePage()
    .toString('latin1')
    .replace(/\d{10}(?= 00000 n)/g, (place) => String(Number(place) + moved).padStart(10, '0'))
    .replace(/(?<=startxref\n)\d+/, (place) => String(Number(place) + moved))
  return Buffer.from(lead + pdf, 'latin1')
}

/** Two tables: who counts from the first byte comes to the first one, and to the older page. */
export function makeTwoTables(): Buffer {
  const first = makeOnePage().toString('latin1')
  const table = first.lastIndexOf('xref\n0 ')
  const page = makeOnePage({ page: '/Rotate 90' })
    .toString('latin1')
    .match(/3 0 obj[^]*?endobj\n/)![0]
  const start = first.length + page.length
  const place = String(first.length).padStart(10, '0')
  const update =
    `${page}xref\n3 1\n${place} 00000 n \ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${table} >>\n` +
    `startxref\n${start}\n%%EOF\n`
  return Buffer.from(' '.repeat(start - table) + first + update, 'latin1')
}

/** An older page behind the newer one; places count from the first byte, so that objects are searched for from the header. */
export function makeSearchedTwice(): Buffer {
  const page = makeOnePage({ page: '/Rotate 90' })
    .toString('latin1')
    .match(/3 0 obj[^]*?endobj\n/)![0]
  const pdf = makeBehindLead('\n\n', 'start').toString('latin1')
  return Buffer.from(pdf.replace('%%EOF', `${page}%%EOF`), 'latin1')
}

/** One page that says it is written for a network; the length that it names counts what stands before the header. */
export function makeLinearizedBehindLead(lead: string, pages: number): Buffer {
  const plain = makeOnePage().toString('latin1')
  const head = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const note = (length: number): string =>
    `9 0 obj\n<< /Linearized 1 /L ${String(length).padStart(6)} /O 3 /N ${pages} /E 9 /T 9 /H [9 9] >>\nendobj\n`
  const added = note(0).length
  const moved = plain
    .replace(/\d{10}(?= 00000 n)/g, (place) => String(Number(place) + added).padStart(10, '0'))
    .replace(/(?<=startxref\n)\d+/, (place) => String(Number(place) + added))
  return Buffer.from(lead + moved.replace(head, head + note(lead.length + moved.length + added)), 'latin1')
}
