import { writeRawPdf } from './raw-pdf.ts'

/** A file in which readers may find different things to show. */
export interface AmbiguousFile {
  /** What it holds, and what becomes of it; the title of a test. */
  title: string
  /** Why readers disagree, and the section of ISO 32000-2 that leaves it to them or that they break. */
  why: string
  bytes: Buffer
  /** The words that every reader draws of the review document, if any; `unlike`: it is not copied, but kept as pictures
   * where Chrome shows anything; `DAMAGED` are refused. */
  outcome?: { words: string } | 'unlike' | undefined
  /** The review document shows something else than the original does in the reviewer's reader, which alone shows it so. */
  isChanged?: true
  /** It has parts as fine as the pixels of the picture that it is kept as. */
  isFine?: boolean
}

export const SIDE = 200

/** Words for a page of this size, at a height. */
export const say = (words: string, y = 100): string => `BT /F1 24 Tf 20 ${y} Td (${words}) Tj ET`

/** A black square in the middle: what is done to it tells readers apart. */
export const SQUARE = '0 g 40 40 120 120 re f'

export const streamOf = (content: string, entries = ''): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`

export const formOf = (content: string, entries = '', resources = '/Resources << /Font << /F1 5 0 R >> >>'): string =>
  streamOf(content, `/Type /XObject /Subtype /Form /BBox [0 0 ${SIDE} ${SIDE}] ${resources} ${entries}`)

/** An image by its entries and data. */
export const imageOf = (entries: string, data: Buffer | string): string =>
  streamOf(typeof data === 'string' ? data : data.toString('latin1'), `/Type /XObject /Subtype /Image ${entries}`)

/** A page with an image over most of it, which is object 6; further objects have numbers from 7 on. */
export const withImage = (entries: string, data: Buffer | string, more: string[] = []): Buffer =>
  makeSmallPage({
    content: 'q 160 0 0 160 20 20 cm /Im Do Q',
    resources: '/XObject << /Im 6 0 R >>',
    more: [imageOf(entries, data), ...more],
  })

/** A small page with resources beside its font F1; further objects have numbers from 6 on. */
export function makeSmallPage(options: {
  content: string
  resources?: string
  page?: string
  more?: string[]
  catalog?: string
}): Buffer {
  const { content, resources = '', page = '', more = [], catalog = '' } = options
  return writeRawPdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R ${/\/MediaBox/.test(page) ? '' : `/MediaBox [0 0 ${SIDE} ${SIDE}]`} ` +
      `/Resources << /Font << /F1 5 0 R >> ${resources} >> /Contents 4 0 R ${page} >>`,
    streamOf(content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...more,
  ])
}

/** Pages that say DIPLOMA, with words that go on behind a line: Poppler puts them where the line ends, others behind the words before. */
export function makeUnlikePdf(more = '', pages = 1): Buffer {
  const kids = Array.from({ length: pages }, (_, i) => 5 + i)
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /MediaBox [0 0 ${SIDE} ${SIDE}] ` +
      '/Resources << /Font << /F1 4 0 R >> >> >>',
    streamOf(`${say('DIPLOMA', 150)} BT /F1 12 Tf 20 20 Td (ONE) Tj 20 10 100 3 re f (TWO) Tj ET ${more}`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...kids.map(() => '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>'),
  ])
}

/** The same, covered with white. */
export const makeCoveredUnlikePdf = (): Buffer => makeUnlikePdf('1 g 0 0 200 200 re f')
