import { type AmbiguousFile, makeSmallPage, say, SQUARE, streamOf } from './ambiguous-file.ts'

const boxed = (entries: string): Buffer =>
  makeSmallPage({ content: `0 g 0 0 100 100 re f ${say('Words', 120)}`, page: entries })

const tail = (file: string, root = '/Size 20 /Root 1 0 R'): string => {
  const previous = file.lastIndexOf('xref\n0 ')
  return `trailer\n<< ${root} /Prev ${previous} >>\n`
}

/** Appends a revision: objects, and a table that names them. */
function revise(
  file: string,
  objects: [number, string][],
  options: { generation?: number; entries?: string } = {},
): string {
  let text = file
  let table = 'xref\n'
  for (const [number, object] of objects) {
    const place = String(text.length).padStart(10, '0')
    text += `${number} ${options.generation ?? 0} obj\n${object}\nendobj\n`
    table += `${number} 1\n${place} ${String(options.generation ?? 0).padStart(5, '0')} n \n`
  }
  const start = text.length
  return `${text}${table}${tail(file, `/Size 20 /Root 1 0 R ${options.entries ?? ''}`)}startxref\n${start}\n%%EOF\n`
}

const OLD = makeSmallPage({ content: say('OLD') }).toString('latin1')
const NEW: [number, string] = [4, streamOf(say('NEW'))]
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')
const startOf = (text: string): string => /startxref\n(\d+)\n%%EOF\n$/.exec(text)![1]!

/** The table of a revision with the entry of one object changed. */
const withEntry = (file: string, number: number, change: (entry: string) => string): string => {
  const table = file.lastIndexOf('xref\n0 ')
  const first = file.indexOf('\n', table + 5) + 1
  const at = first + 20 * number
  return file.slice(0, at) + change(file.slice(at, at + 20)) + file.slice(at + 20)
}

const UNUSED = makeSmallPage({ content: say('FIRST'), more: [streamOf(say('OTHER'))] }).toString('latin1')
const placeOf = (file: string, number: number): string =>
  String(file.indexOf(`\n${number} 0 obj`) + 1).padStart(10, '0')

function makeHybrid(kind: 'replaces' | 'hides'): Buffer {
  // a table for old readers, and a stream of entries that newer ones read after it
  let text = OLD.slice(0, OLD.lastIndexOf('xref\n0 '))
  const other = text.length
  text += `4 0 obj\n${streamOf(say('NEW'))}\nendobj\n`
  const stream = text.length
  const record = (type: number, place: number): string => String.fromCharCode(type, (place >> 8) & 255, place & 255, 0)
  const records = kind === 'replaces' ? record(1, other) : record(0, 0)
  text += `8 0 obj\n${streamOf(records, '/Type /XRef /Size 9 /W [1 2 1] /Index [4 1] /Root 1 0 R')}\nendobj\n`
  const table = OLD.slice(OLD.lastIndexOf('xref\n0 '), OLD.lastIndexOf('startxref'))
  const start = text.length
  // hidden objects are free in the table (7.5.8.4); here it also names one that the stream replaces
  return bytesOf(`${text}${table.replace('/Size 6', `/Size 9 /XRefStm ${stream}`)}startxref\n${start}\n%%EOF\n`)
}

/** Boxes, tables of objects and revisions: which page there is, and how large. */
export const AMBIGUOUS_STRUCTURE: readonly AmbiguousFile[] = [
  ...(
    [
      ['A crop box larger than the paper is the paper', '/CropBox [-100 -100 400 400]'],
      ['A crop box beside the paper counts as none', '/CropBox [300 300 400 400]'],
      ['A crop box that is turned around is set right', '/CropBox [150 200 0 50]'],
      ['A crop box without extent counts as none', '/CropBox [50 50 50 50]'],
      ['A crop box of three numbers counts as none', '/CropBox [50 50 150]'],
      ['A turned page with a crop box is cut where it is seen', '/Rotate 90 /CropBox [0 50 120 200]'],
      ['Paper that begins below nothing and is turned around is set right', '/MediaBox [200 200 -50 -50]'],
      ['Paper turned by an eighth is not turned', '/Rotate 45'],
      ['Paper turned more than once around is turned by the rest', '/Rotate 450'],
      ['Paper turned backwards is turned', '/Rotate -90'],
      ['Paper turned by a reference is turned', '/Rotate 6 0 R'],
      ['Units larger than points make a larger page', '/UserUnit 2'],
      ['Units of nothing, or less, count as points', '/UserUnit -3'],
      ['Labels of pages are for people', '/PageLabels << /Nums [0 << /S /r /St 9 >>] >>'],
    ] as const
  ).map(([title, entries]) => ({
    title,
    why: 'Boxes, turns and units beyond what is allowed are put right in different ways (7.7.3.3, 14.11.2).',
    bytes: entries.includes('6 0 R')
      ? makeSmallPage({ content: `0 g 0 0 100 100 re f ${say('Words', 120)}`, page: entries, more: ['90'] })
      : boxed(entries),
    outcome: { words: 'Words' },
  })),
  {
    title: 'A page that names its content twice has one content',
    why: 'Of two equal keys readers take the first or the last (7.3.7).',
    bytes: makeSmallPage({ content: say('FIRST'), page: '/Contents 6 0 R', more: [streamOf(say('LAST'))] }),
    outcome: { words: 'LAST' },
  },
  {
    title: 'A page that names its paper twice has one paper',
    why: 'Of two equal keys readers take the first or the last (7.3.7).',
    bytes: boxed('/MediaBox [0 0 200 200] /Rotate 90 /Rotate 0 /MediaBox [0 0 100 200]'),
    outcome: { words: 'Words' },
  },
  {
    title: 'Resources that name a font twice have one font',
    why: 'Of two equal keys readers take the first or the last (7.3.7).',
    bytes: makeSmallPage({
      content: say('AB'),
      resources: '/Font << /F1 6 0 R /F1 5 0 R >>',
      more: ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [65 /X /Y] >> >>'],
    }),
    outcome: { words: 'AB' },
  },
  {
    title: 'An object that two kinds of tables place differently is not copied',
    why: 'The stream of entries counts after the table; readers swap them (7.5.8.4).',
    bytes: makeHybrid('replaces'),
    outcome: 'unlike',
  },
  {
    title: 'An object that a stream of entries frees is not copied',
    why: 'The stream of entries counts after the table; readers swap them (7.5.8.4).',
    bytes: makeHybrid('hides'),
    outcome: 'unlike',
  },
  {
    title: 'A revision that replaces the content of a page is the page',
    why: 'The last table counts (7.5.6).',
    bytes: bytesOf(revise(OLD, [NEW])),
    outcome: { words: 'NEW' },
  },
  {
    title: 'A revision with the old table named again behind it is read as the reviewer’s reader does',
    why: 'Who reads the last startxref shows the old page, who searches shows the new one (7.5.5).',
    bytes: bytesOf(`${revise(OLD, [NEW])}startxref\n${startOf(OLD)}\n%%EOF\n`),
    outcome: { words: 'OLD' },
  },
  {
    title: 'Of several ends of file the last counts',
    why: 'Readers look for the end in the last thousand bytes, from either side (7.5.5).',
    bytes: bytesOf(`${revise(OLD, [NEW])}%%EOF\n%%EOF\n`),
    outcome: { words: 'NEW' },
  },
  {
    title: 'Of an object with two generations neither is shown: the file is not copied',
    why: 'Readers pass over the generation of a reference (7.3.10).',
    bytes: bytesOf(revise(OLD, [NEW], { generation: 1 })),
    outcome: 'unlike',
  },
  {
    title: 'Content whose entry has a wrong generation is not copied',
    why: 'Readers that compare generations find nothing (7.5.4).',
    bytes: bytesOf(withEntry(UNUSED, 4, (entry) => entry.replace('00000 n', '00003 n'))),
    outcome: 'unlike',
  },
  {
    title: 'Content whose entry leads to another object is not copied',
    why: 'Readers take what stands there, search for the number, or show nothing (7.5.4).',
    bytes: bytesOf(withEntry(UNUSED, 4, (entry) => entry.replace(/^\d{10}/, placeOf(UNUSED, 6)))),
    outcome: 'unlike',
  },
  {
    title: 'Content whose entry is free is not copied',
    why: 'A free object is nothing; some readers search for it (7.5.4).',
    bytes: bytesOf(withEntry(UNUSED, 4, (entry) => entry.replace(' n', ' f'))),
    outcome: 'unlike',
  },
  {
    title: 'A table that begins with another number than it says is read alike',
    why: 'Programs count from one; readers repair the count or search (7.5.4).',
    bytes: bytesOf(OLD.replace('xref\n0 6', 'xref\n1 6')),
    outcome: { words: 'OLD' },
  },
  {
    title: 'Content with the end of a stream within is not copied',
    why: 'Readers believe the length, or look for the end (7.3.8.2).',
    bytes: makeSmallPage({ content: `${say('FIRST', 150)}\nendstream\n${say('LAST')} ${SQUARE}` }),
    outcome: 'unlike',
  },
]
