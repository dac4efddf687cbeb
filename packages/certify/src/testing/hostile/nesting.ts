import { makeOnePage, makeReferenceChain } from '../odd-pdfs.ts'
import { writeRawPdf } from '../raw-pdf.ts'
import { hostile, type HostileFile, streamOf } from './hostile-file.ts'

/** PDFs that are too deep, too wide, or give numbers that no file can mean. */

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>'

const nest = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels)

function withDeepPageTree(levels: number): Buffer {
  const nodes = Array.from(
    { length: levels },
    (_, i) => `<< /Type /Pages /Parent ${i + 1} 0 R /Count 1 /Kids [${i + 3} 0 R] >>`,
  )
  return writeRawPdf([CATALOG, ...nodes, PAGE])
}

/** The same few nodes again and again: 2 to the power of 20 leaves from 20 objects. */
function withSharedKids(): Buffer {
  const nodes = Array.from(
    { length: 20 },
    (_, i) => `<< /Type /Pages /Count ${2 ** (20 - i)} /Kids [${i + 3} 0 R ${i + 3} 0 R] >>`,
  )
  return writeRawPdf([CATALOG, ...nodes, PAGE])
}

function withPages(pages: number): Buffer {
  const kids = Array.from({ length: pages }, (_, i) => `${i + 3} 0 R`).join(' ')
  return writeRawPdf([
    CATALOG,
    `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`,
    ...Array.from({ length: pages }, () => PAGE),
  ])
}

const withCount = (count: string): Buffer =>
  writeRawPdf([CATALOG, `<< /Type /Pages /Count ${count} /Kids [3 0 R 4 0 R] >>`, PAGE, PAGE])

/** A table of many sections, each with one /Prev to the one before. */
function withRevisions(count: number): Buffer {
  const pieces = [makeOnePage().toString('latin1')]
  let previous = pieces[0]!.lastIndexOf('xref\n0 ')
  let at = pieces[0]!.length
  for (let i = 0; i < count; i++) {
    const piece = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${at}\n%%EOF\n`
    pieces.push(piece)
    previous = at
    at += piece.length
  }
  return Buffer.from(pieces.join(''), 'latin1')
}

/** A cross-reference stream in which an entry takes no bytes, and there are two thousand million of them. */
function withEmptyEntries(): Buffer {
  const start = makeOnePage().toString('latin1')
  const body = start.slice(0, start.lastIndexOf('xref\n0 '))
  const table = streamOf('', '/Type /XRef /Size 2147483647 /Index [0 2147483647] /W [0 0 0] /Root 1 0 R')
  return Buffer.from(`${body}6 0 obj\n${table}\nendobj\nstartxref\n${body.length}\n%%EOF\n`, 'latin1')
}

function withTableHead(head: string): Buffer {
  return Buffer.from(makeOnePage().toString('latin1').replace('xref\n0 6\n', `xref\n${head}\n`), 'latin1')
}

const withObjectStream = (entries: string, data: string): Buffer =>
  writeRawPdf(['', streamOf(data, `/Type /ObjStm ${entries}`), '<< /Type /Pages /Count 0 /Kids [] >>'], {
    xrefStream: { root: 4, compressed: [4], container: 2 },
  })

const TOO_DEEP = { refused: ['unreadable', 'truncated', 'no_pages', 'too_slow', 'too_much_memory'] } as const
const TOO_LONG = { refused: ['too_much_memory'] } as const
const TAKEN = { taken: 1 } as const

export const NESTING: readonly HostileFile[] = [
  hostile('array 200,000 deep', TOO_DEEP, () => makeOnePage({ page: `/Odd ${nest('[', ']', 200_000)}` })),
  hostile('dictionary 200,000 deep', TOO_DEEP, () => makeOnePage({ page: `/Odd ${nest('<</A ', '>>', 200_000)}` })),
  hostile('array 200,000 deep, never closed', TOO_DEEP, () => makeOnePage({ page: `/Odd ${'['.repeat(200_000)}` })),
  hostile('string in a million brackets', TOO_LONG, () => makeOnePage({ page: `/Odd ${nest('(', ')', 1_000_000)}` })),
  hostile('trailer 200,000 deep', TAKEN, () => makeOnePage({ trailer: `/Odd ${nest('[', ']', 200_000)}` })),
  hostile('chain of 100,000 references', TAKEN, () => makeReferenceChain(100_000)),
  hostile('page tree 10,000 deep', TOO_DEEP, () => withDeepPageTree(10_000)),
  hostile('page tree of a million shared leaves', { refused: ['too_many_pages', 'unreadable'] }, withSharedKids),
  hostile('200,000 pages', { refused: ['too_many_pages', 'unreadable'] }, () => withPages(200_000)),
  hostile('count of two thousand million pages', { refused: ['ambiguous'] }, () => withCount('2000000000')),
  hostile('count of minus one', { refused: ['ambiguous'] }, () => withCount('-1')),
  hostile('count of one page too few', { refused: ['ambiguous'] }, () => withCount('1')),
  hostile('a million objects', TAKEN, () => makeOnePage({ more: Array.from({ length: 1_000_000 }, () => '0') })),
  hostile('array of three million numbers', TOO_DEEP, () => makeOnePage({ page: `/Odd [${'0 '.repeat(3_000_000)}]` })),
  hostile('string of 20 MB', TOO_LONG, () => makeOnePage({ page: `/Odd (${'x'.repeat(20 << 20)})` })),
  hostile('name of 5 MB', TOO_LONG, () => makeOnePage({ page: `/Odd /${'x'.repeat(5 << 20)}` })),
  hostile('key of 5 MB', TOO_LONG, () => makeOnePage({ page: `/${'x'.repeat(5 << 20)} 1` })),
  hostile('number of a million digits', TAKEN, () => makeOnePage({ page: `/Odd ${'9'.repeat(1_000_000)}` })),
  hostile('giant page', TAKEN, () => makeOnePage({ box: '0 0 1e30 99999999999999999999999999' })),
  hostile('page box that is no number', TAKEN, () => makeOnePage({ box: 'NaN Infinity null (a)' })),
  hostile('page of no size', TAKEN, () => makeOnePage({ box: '0 0 0 0' })),
  hostile('page box upside down', TAKEN, () => makeOnePage({ box: '595 842 0 0' })),
  hostile('crop box outside the page', TAKEN, () => makeOnePage({ page: '/CropBox [-9000 -9000 -8000 -8000]' })),
  hostile('giant user unit', TAKEN, () => makeOnePage({ page: '/UserUnit 1000000000' })),
  hostile('negative user unit', TAKEN, () => makeOnePage({ page: '/UserUnit -1 /Rotate 47' })),
  hostile('20,000 revisions', TAKEN, () => withRevisions(20_000)),
  hostile('cross-reference stream of empty entries', TOO_DEEP, withEmptyEntries),
  hostile('table of four thousand million entries', TAKEN, () => withTableHead('0 4294967295')),
  hostile('table that begins at object two thousand million', TAKEN, () => withTableHead('2000000000 6')),
  hostile('object stream of two thousand million objects', { refused: ['no_pages', 'unreadable', 'truncated'] }, () =>
    withObjectStream('/N 2147483647 /First 10', '4 0 5 20  << /Type /Catalog /Pages 3 0 R >>'),
  ),
  hostile('object stream that begins behind its end', { refused: ['no_pages', 'unreadable', 'truncated'] }, () =>
    withObjectStream('/N 1 /First 2147483647', '4 0 << /Type /Catalog /Pages 3 0 R >>'),
  ),
]
