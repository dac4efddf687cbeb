import { deflateSync } from 'node:zlib'
import { makeOnePage } from './odd-pdfs.ts'
import { writeRawPdf } from './raw-pdf.ts'

/** PDFs that look otherwise in one reader than in another, on paper than on a screen, or by what they say than by what they hold. */

const say = (words: string, y: number): string => `BT /F1 24 Tf 60 ${y} Td (${words}) Tj ET`
const inLayer = (name: string, content: string): string => `/OC /${name} BDC ${content} EMC`
const form = (content: string, entries = '', resources = '/Resources << /Font << /F1 5 0 R >> >>'): string =>
  `<< /Type /XObject /Subtype /Form /BBox [0 0 300 40] ${resources} ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`

/**
 * Layers named L1, L2, …, each a group of its own with the entries given; what they hold is said by the caller.
 * @param shown The default configuration.
 */
export function makeLayered(options: {
  groups: string[]
  shown: string
  content: string
  /** Membership dictionaries, named M1, M2, …; group n has number 5 + n. */
  members?: string[]
  more?: string[]
  page?: string
  resources?: string
}): Buffer {
  const { groups, members = [], more = [] } = options
  const names = groups.map((_, i) => `/L${i + 1} ${i + 6} 0 R`)
  const sets = members.map((_, i) => `/M${i + 1} ${i + 6 + groups.length} 0 R`)
  return makeOnePage({
    catalog: `/OCProperties << /OCGs [${groups.map((_, i) => `${i + 6} 0 R`).join(' ')}] /D << ${options.shown} >> >>`,
    content: options.content,
    page:
      `/Resources << /Font << /F1 5 0 R >> ${options.resources ?? ''} ` +
      `/Properties << ${[...names, ...sets].join(' ')} >> >> ${options.page ?? ''}`,
    more: [
      ...groups.map((entries, i) => `<< /Type /OCG /Name (Layer ${i + 1}) ${entries} >>`),
      ...members.map((entries) => `<< /Type /OCMD ${entries} >>`),
      ...more,
    ],
  })
}

/** Off on screens by its usage, with no event that says so: readers that look for the event show it. */
export const makeScreenOffLayer = (): Buffer =>
  makeLayered({
    groups: ['/Usage << /View << /ViewState /OFF >> >>', '/Usage << /Print << /PrintState /OFF >> >>'],
    shown: '/BaseState /ON',
    content: `${inLayer('L1', say('PASSED', 500))} ${inLayer('L2', say('FAILED', 500))} ${say('Report', 600)}`,
  })

/** Every construct that a layer may own: marks within marks, a form, an image, a field of glyphs, an annotation. */
export const makeLayeredEverything = (): Buffer =>
  makeLayered({
    groups: ['', ''],
    shown: '/OFF [7 0 R]',
    resources: '/XObject << /F8 8 0 R /F9 9 0 R /F10 10 0 R >>',
    page: '/Annots [11 0 R]',
    content:
      `${inLayer('L1', say('Seen mark', 700))} ${inLayer('L2', `${say('Unseen mark', 660)} /P BMC ${say('Unseen nested', 620)} EMC`)} ` +
      `${inLayer('L2', '1 0 0 rg q 1 0 0 1 0 0 cm')} ${say('Still drawn', 580)} Q ` +
      `q 1 0 0 1 60 500 cm /F8 Do Q q 1 0 0 1 60 450 cm /F9 Do Q q 1 0 0 1 60 400 cm /F10 Do Q`,
    more: [
      form('BT /F1 20 Tf (Seen form) Tj ET', '/OC 6 0 R'),
      form('BT /F1 20 Tf (Unseen form) Tj ET', '/OC 7 0 R'),
      form(
        '/OC /X BDC BT /F1 20 Tf (Unseen inside) Tj ET EMC BT /F1 20 Tf (Seen inside) Tj ET',
        '',
        '/Resources << /Font << /F1 5 0 R >> /Properties << /X 7 0 R >> >>',
      ),
      '<< /Type /Annot /Subtype /Stamp /Rect [60 300 360 340] /F 4 /OC 7 0 R /AP << /N 12 0 R >> >>',
      form('BT /F1 20 Tf (Unseen stamp) Tj ET'),
    ],
  })

/** Text behind a hidden text in one text object: where it stands depends on what is not shown. */
export const makeAdriftText = (): Buffer =>
  makeLayered({
    groups: [''],
    shown: '/OFF [6 0 R]',
    content: 'BT /F1 24 Tf 60 500 Td /OC /L1 BDC (Not ) Tj EMC (approved) Tj ET',
  })

/** Each flag of a stamp with the words that it shows: on screens, on paper, on neither. */
export function makeFlaggedStamps(
  flags: readonly { words: string; flags: number }[],
  rect?: string,
  page = '',
): Buffer {
  const stamps = flags.flatMap(({ words, flags: value }, i) => [
    `<< /Type /Annot /Subtype /Stamp /Rect ${rect ?? `[60 ${700 - 40 * i} 360 ${740 - 40 * i}]`} /F ${value} /AP << /N ${7 + 2 * i} 0 R >> >>`,
    form(`BT /F1 20 Tf 4 10 Td (${words}) Tj ET`),
  ])
  return makeOnePage({ page: `/Annots [${flags.map((_, i) => `${6 + 2 * i} 0 R`).join(' ')}] ${page}`, more: stamps })
}

/** Marks of reviewers without any picture of theirs. */
export const makeBareMarks = (): Buffer =>
  makeOnePage({
    page: `/Annots [${[6, 7, 8, 9, 10, 11].map((number) => `${number} 0 R`).join(' ')}]`,
    more: [
      '<< /Type /Annot /Subtype /Square /Rect [60 300 160 340] /C [1 0 0] /BS << /W 4 >> >>',
      '<< /Type /Annot /Subtype /Circle /Rect [200 300 300 340] /C [0 0 1] /IC [0 1 0] /BS << /W 4 >> >>',
      '<< /Type /Annot /Subtype /Line /Rect [60 200 300 240] /L [60 200 300 240] /C [0 0 0] /BS << /W 4 >> >>',
      '<< /Type /Annot /Subtype /Ink /Rect [350 200 450 300] /InkList [[350 200 400 300 450 200]] /BS << /W 6 >> >>',
      '<< /Type /Annot /Subtype /StrikeOut /Rect [60 495 260 525] /C [1 0 0] /QuadPoints [60 525 260 525 60 495 260 495] >>',
      '<< /Type /Annot /Subtype /Text /Rect [400 700 420 720] /Contents (Only a note) /Name /Comment >>',
    ],
  })

/** Kids of the page tree, and how many pages it says there are. */
export function makeTree(kids: string, count: string, more: string[] = []): Buffer {
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>'
  const content = say('Original words', 500)
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages ${count} /Kids [${kids}] >>`,
    page,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    page,
    ...more,
  ])
}

/** The first object says that there is one page, and that it is another one than the page tree's first. */
export function makeLyingLinearization(): Buffer {
  const make = (length: string): Buffer => {
    const page = '/Type /Page /Parent 3 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 7 0 R >> >>'
    const contents = [say('First of the tree', 500), say('First of the list', 500)]
    const objects = [
      `<< /Linearized 1 /L ${length} /H [100 10] /O 5 /E 900 /N 1 /T 900 >>`,
      '<< /Type /Catalog /Pages 3 0 R >>',
      '<< /Type /Pages /Count 2 /Kids [4 0 R 5 0 R] >>',
      `<< ${page} /Contents 6 0 R >>`,
      `<< ${page} /Contents 8 0 R >>`,
      `<< /Length ${contents[0]!.length} >>\nstream\n${contents[0]}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Length ${contents[1]!.length} >>\nstream\n${contents[1]}\nendstream`,
    ]
    const text = writeRawPdf(objects).toString('latin1').replace('/Root 1 0 R', '/Root 2 0 R')
    return Buffer.from(text, 'latin1')
  }
  return make(String(make('0000').length).padStart(4, '0'))
}

/** A form that asks readers to draw its fields, with pictures that say something else than the values. */
export const makeOldAppearances = (): Buffer =>
  makeOnePage({
    catalog:
      '/AcroForm << /NeedAppearances true /Fields [6 0 R 7 0 R] /DA (/Helv 12 Tf 0 g) /DR << /Font << /Helv 5 0 R >> >> >>',
    page: '/Annots [6 0 R 7 0 R]',
    more: [
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (New value) /F 4 /Rect [60 600 300 620] /AP << /N 8 0 R >> >>',
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (b) /V (Value without a picture) /F 4 /Rect [60 560 300 580] /AP << /N 9 0 R >> >>',
      form('/Tx BMC BT /Helv 12 Tf 2 5 Td (Old value) Tj ET EMC', '', '/Resources << /Font << /Helv 5 0 R >> >>'),
      form(''),
    ],
  })

/** A field with a value and neither a picture nor a form that asks for one. */
export const makeSilentField = (): Buffer =>
  makeOnePage({
    catalog: '/AcroForm << /Fields [6 0 R] /DA (/Helv 12 Tf 0 g) /DR << /Font << /Helv 5 0 R >> >> >>',
    page: '/Annots [6 0 R]',
    more: ['<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (Silent value) /F 4 /Rect [60 600 300 620] >>'],
  })

/** Links of 200 by 20 points, one above the other from 100 points on, with what each says of its frame. */
export const makeFramedLinks = (frames: readonly string[]): Buffer =>
  makeOnePage({
    page: `/Annots [${frames
      .map(
        (frame, i) =>
          `<< /Type /Annot /Subtype /Link /Rect [60 ${100 + 30 * i} 260 ${120 + 30 * i}] /Dest [3 0 R /Fit] ${frame} >>`,
      )
      .join(' ')}]`,
    more: [],
  })

/** Links to the page itself, of which only what is above 100 is shown. @param rects Each may say more behind its rectangle. */
export const makePlacedLinks = (rects: readonly string[]): Buffer =>
  makeOnePage({
    page: `/CropBox [0 100 595 842] /Annots [${rects.map((_, i) => `${i + 6} 0 R`).join(' ')}]`,
    more: rects.map((rect) => `<< /Type /Annot /Subtype /Link /Rect [${rect}] /Dest [3 0 R /Fit] >>`),
  })

/** Pictures without resources: a stamp that means the page's font, a field that means the form's. */
export const makeBareAppearances = (): Buffer =>
  makeOnePage({
    catalog: '/AcroForm << /Fields [7 0 R] /DR << /Font << /Helv 5 0 R >> >> >>',
    page: '/Annots [6 0 R 7 0 R]',
    more: [
      '<< /Type /Annot /Subtype /Stamp /Rect [60 300 360 340] /F 4 /AP << /N 8 0 R >> >>',
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /V (Field words) /F 4 /Rect [60 200 360 240] /AP << /N 9 0 R >> >>',
      form('BT /F1 20 Tf 4 10 Td (Stamp words) Tj ET', '', ''),
      form('BT /Helv 20 Tf 4 10 Td (Field words) Tj ET', '', ''),
    ],
  })

/** Deflated content with something odd around the words `stream` and `endstream`. */
export function makeOddStream(options: { before?: string; end?: string; length?: number }): Buffer {
  const packed = deflateSync(Buffer.from(say('Original words', 500))).toString('latin1')
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Filter /FlateDecode /Length ${options.length ?? packed.length} >>\nstream${options.before ?? '\n'}${packed}\n${options.end ?? 'endstream'}`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
}

/** Words written on the page, without a picture. */
export const makeBareFreeText = (): Buffer =>
  makeOnePage({
    page: '/Annots [6 0 R]',
    more: [
      '<< /Type /Annot /Subtype /FreeText /Rect [60 600 400 640] /Contents (Written on the page) /DA (1 0 0 rg /Helv 12 Tf) >>',
    ],
  })

/** The catalog in an object stream, packed by the short name of the filter; so is the page's content. */
export function makeShortFilter(): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 1 /Kids [3 0 R] >>']
  const head = `1 0 2 ${objects[0]!.length + 1} `
  const packed = deflateSync(Buffer.from(head + objects.join(' '))).toString('latin1')
  const content = deflateSync(Buffer.from(say('Original words', 500))).toString('latin1')
  return writeRawPdf(
    [
      '',
      '',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
      `<< /Filter [/Fl] /Length ${content.length} >>\nstream\n${content}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Type /ObjStm /N 2 /First ${head.length} /Filter /Fl /Length ${packed.length} >>\nstream\n${packed}\nendstream`,
    ],
    { xrefStream: { root: 1, compressed: [1, 2], container: 6 } },
  )
}
