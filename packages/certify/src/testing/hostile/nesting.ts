import { makeOnePage, makeReferenceChain } from '../odd-pdfs.ts'
import { writeRawPdf } from '../raw-pdf.ts'
import { type HostileFile, streamOf } from './hostile-file.ts'

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
  { name: 'array 200,000 deep', make: () => makeOnePage({ page: `/Odd ${nest('[', ']', 200_000)}` }), fate: TOO_DEEP },
  {
    name: 'dictionary 200,000 deep',
    make: () => makeOnePage({ page: `/Odd ${nest('<</A ', '>>', 200_000)}` }),
    fate: TOO_DEEP,
  },
  {
    name: 'array 200,000 deep, never closed',
    make: () => makeOnePage({ page: `/Odd ${'['.repeat(200_000)}` }),
    fate: TOO_DEEP,
  },
  {
    name: 'string in a million brackets',
    make: () => makeOnePage({ page: `/Odd ${nest('(', ')', 1_000_000)}` }),
    fate: TOO_LONG,
  },
  {
    name: 'trailer 200,000 deep',
    make: () => makeOnePage({ trailer: `/Odd ${nest('[', ']', 200_000)}` }),
    fate: TAKEN,
  },
  { name: 'chain of 100,000 references', make: () => makeReferenceChain(100_000), fate: TAKEN },
  { name: 'page tree 10,000 deep', make: () => withDeepPageTree(10_000), fate: TOO_DEEP },
  {
    name: 'page tree of a million shared leaves',
    make: withSharedKids,
    fate: { refused: ['too_many_pages', 'unreadable'] },
  },
  { name: '200,000 pages', make: () => withPages(200_000), fate: { refused: ['too_many_pages', 'unreadable'] } },
  {
    name: 'count of two thousand million pages',
    make: () => withCount('2000000000'),
    fate: { refused: ['unreadable'] },
  },
  { name: 'count of minus one', make: () => withCount('-1'), fate: { refused: ['unreadable'] } },
  { name: 'count of one page too few', make: () => withCount('1'), fate: { refused: ['unreadable'] } },
  {
    name: 'a million objects',
    make: () => makeOnePage({ more: Array.from({ length: 1_000_000 }, () => '0') }),
    fate: TAKEN,
  },
  {
    name: 'array of three million numbers',
    make: () => makeOnePage({ page: `/Odd [${'0 '.repeat(3_000_000)}]` }),
    fate: TOO_DEEP,
  },
  { name: 'string of 20 MB', make: () => makeOnePage({ page: `/Odd (${'x'.repeat(20 << 20)})` }), fate: TOO_LONG },
  { name: 'name of 5 MB', make: () => makeOnePage({ page: `/Odd /${'x'.repeat(5 << 20)}` }), fate: TOO_LONG },
  { name: 'key of 5 MB', make: () => makeOnePage({ page: `/${'x'.repeat(5 << 20)} 1` }), fate: TOO_LONG },
  {
    name: 'number of a million digits',
    make: () => makeOnePage({ page: `/Odd ${'9'.repeat(1_000_000)}` }),
    fate: TAKEN,
  },
  { name: 'giant page', make: () => makeOnePage({ box: '0 0 1e30 99999999999999999999999999' }), fate: TAKEN },
  { name: 'page box that is no number', make: () => makeOnePage({ box: 'NaN Infinity null (a)' }), fate: TAKEN },
  { name: 'page of no size', make: () => makeOnePage({ box: '0 0 0 0' }), fate: TAKEN },
  { name: 'page box upside down', make: () => makeOnePage({ box: '595 842 0 0' }), fate: TAKEN },
  {
    name: 'crop box outside the page',
    make: () => makeOnePage({ page: '/CropBox [-9000 -9000 -8000 -8000]' }),
    fate: TAKEN,
  },
  { name: 'giant user unit', make: () => makeOnePage({ page: '/UserUnit 1000000000' }), fate: TAKEN },
  { name: 'negative user unit', make: () => makeOnePage({ page: '/UserUnit -1 /Rotate 47' }), fate: TAKEN },
  { name: '20,000 revisions', make: () => withRevisions(20_000), fate: TAKEN },
  { name: 'cross-reference stream of empty entries', make: withEmptyEntries, fate: TOO_DEEP },
  { name: 'table of four thousand million entries', make: () => withTableHead('0 4294967295'), fate: TAKEN },
  { name: 'table that begins at object two thousand million', make: () => withTableHead('2000000000 6'), fate: TAKEN },
  {
    name: 'object stream of two thousand million objects',
    make: () => withObjectStream('/N 2147483647 /First 10', '4 0 5 20  << /Type /Catalog /Pages 3 0 R >>'),
    fate: { refused: ['no_pages', 'unreadable', 'truncated'] },
  },
  {
    name: 'object stream that begins behind its end',
    make: () => withObjectStream('/N 1 /First 2147483647', '4 0 << /Type /Catalog /Pages 3 0 R >>'),
    fate: { refused: ['no_pages', 'unreadable', 'truncated'] },
  },
]
