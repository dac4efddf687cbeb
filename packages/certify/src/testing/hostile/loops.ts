import { makeOnePage, makePageLoop } from '../odd-pdfs.ts'
import { writeRawPdf } from '../raw-pdf.ts'
import { hostile, type HostileFile, streamOf } from './hostile-file.ts'

/** PDFs in which a way through the file leads back to where it began. */

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>'

function withTablesInCircle(): Buffer {
  const start = makeOnePage().toString('latin1').lastIndexOf('xref\n0 ')
  return makeOnePage({ trailer: `/Prev ${start}` })
}

/** Two tables, each naming the other as the one before it. */
function withTwoTablesInCircle(): Buffer {
  const first = makeOnePage({ trailer: '/Prev 0000001000' }).toString('latin1')
  const table = first.lastIndexOf('xref\n0 ')
  const second = first.length
  const linked = first.replace('/Prev 0000001000', `/Prev ${String(second).padStart(10, '0')}`)
  const update = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 6 /Root 1 0 R /Prev ${table} >>\nstartxref\n${second}\n%%EOF\n`
  return Buffer.from(linked + update, 'latin1')
}

function withStreamInsideItself(): Buffer {
  return writeRawPdf(['', streamOf('2 0 3 9 << >>    << /Type /Catalog >>', '/Type /ObjStm /N 2 /First 8')], {
    xrefStream: { root: 3, compressed: [2, 3], container: 2 },
  })
}

const withForms = (forms: string[]): Buffer =>
  makeOnePage({ content: '/X6 Do', page: '/Resources << /XObject << /X6 6 0 R >> >>', more: forms })

const form = (draws: string, resources: string): string =>
  streamOf(draws, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << ${resources} >> >>`)

/** The last is drawn two to the power of so many times. */
const withFormsTwice = (levels: number): Buffer =>
  withForms(
    Array.from({ length: levels }, (_, i) =>
      i === levels - 1 ? form('0 0 m', '') : form(`/X${i + 7} Do /X${i + 7} Do`, `/X${i + 7} ${i + 7} 0 R`),
    ),
  )

const withMask = (number: number): string =>
  `/Resources << /ExtGState << /M << /SMask << /S /Luminosity /G ${number} 0 R >> >> >> >>`

/** A page that is drawn behind the first of these masks, which have numbers from 6 on. */
const withMasks = (masks: string[], content = '/M gs 0 0 99 99 re f'): Buffer =>
  makeOnePage({ content, page: withMask(6), more: masks })

const mask = (draws: string, resources: string): string =>
  streamOf(draws, `/Subtype /Form /BBox [0 0 99 99] /Group << /S /Transparency /CS /DeviceGray >> ${resources}`)

const BEHIND_TWICE = 'q /M gs 1 g 0 0 9 9 re f Q q /M gs 1 g 0 0 99 99 re f Q'
const SQUARES = '0 0 9 9 re f '.repeat(8000)

const NO_PAGES = { refused: ['no_pages', 'unreadable', 'too_slow'] } as const
/** Of the words on the page. */
const FONT = '/Font << /F1 5 0 R >>'
const TAKEN = { taken: 1 } as const

export const LOOPS: readonly HostileFile[] = [
  hostile('page tree that contains itself', NO_PAGES, makePageLoop),
  hostile('page tree that contains its grandparent', { refused: ['ambiguous'] }, () =>
    writeRawPdf([
      CATALOG,
      '<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >>',
      '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [2 0 R] >>',
      PAGE,
    ]),
  ),
  hostile('page whose parent is itself', TAKEN, () =>
    writeRawPdf([CATALOG, '<< /Type /Pages /Count 1 /Kids [3 0 R] >>', '<< /Type /Page /Parent 3 0 R >>']),
  ),
  hostile('table that names itself as the one before', TAKEN, withTablesInCircle),
  hostile('two tables in a circle', TAKEN, withTwoTablesInCircle),
  hostile('outline in a circle', { taken: 1, gone: ['/Outlines'] }, () =>
    makeOnePage({
      catalog: '/Outlines 6 0 R',
      more: [
        '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
        '<< /Title (a) /Parent 6 0 R /Next 7 0 R /Prev 7 0 R /First 7 0 R /Last 7 0 R >>',
      ],
    }),
  ),
  hostile(
    'object stream that lies in itself',
    { refused: ['unreadable', 'truncated', 'no_pages'] },
    withStreamInsideItself,
  ),
  hostile('stream whose length is the stream itself', TAKEN, () =>
    writeRawPdf([
      CATALOG,
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
      '<< /Length 4 0 R >>\nstream\n0 0 m\nendstream',
    ]),
  ),
  hostile('references that lead only to each other', TAKEN, () =>
    makeOnePage({
      page: '/CropBox 6 0 R /Rotate 6 0 R /UserUnit 7 0 R /Annots 6 0 R /Group 7 0 R',
      more: ['7 0 R', '6 0 R'],
    }),
  ),
  hostile('root that refers to itself', { refused: ['unreadable', 'no_pages'] }, () =>
    writeRawPdf(['1 0 R', '<< /Type /Pages /Count 1 /Kids [3 0 R] >>', PAGE]),
  ),
  hostile('form that draws itself', TAKEN, () => withForms([form('/X6 Do', '/X6 6 0 R')])),
  hostile('thirty forms that each draw the next twice', { refused: ['too_slow'] }, () => withFormsTwice(30)),
  hostile('forty forms that each draw the next twice', { refused: ['too_slow'] }, () => withFormsTwice(40)),
  hostile('thirty masks, each behind the next twice', { refused: ['too_slow'] }, () =>
    withMasks(
      Array.from({ length: 30 }, (_, i) =>
        i === 29 ? mask('1 g 0 0 9 9 re f', '/Resources << >>') : mask(BEHIND_TWICE, withMask(i + 7)),
      ),
    ),
  ),
  hostile('mask of thousands of squares that is set thousands of times', { refused: ['too_slow'] }, () =>
    withMasks([mask(SQUARES, '/Resources << >>')], '/M gs 0 0 9 9 re f '.repeat(8000)),
  ),
  hostile('mask of thousands of squares with thousands of squares behind it', { refused: ['too_slow'] }, () =>
    withMasks([mask(SQUARES, '/Resources << >>')], `/M gs ${SQUARES}`),
  ),
  hostile('tile of thousands of squares that thousands of squares are painted with', { refused: ['too_slow'] }, () =>
    makeOnePage({
      content: `/Pattern cs /P scn ${SQUARES}`,
      page: '/Resources << /Pattern << /P 6 0 R >> >>',
      more: [
        streamOf(
          SQUARES,
          '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >>',
        ),
      ],
    }),
  ),
  hostile('letter of thousands of squares that is shown thousands of times', { refused: ['too_slow'] }, () =>
    makeOnePage({
      content: `BT /T 10 Tf 10 100 Td <${'61'.repeat(1800)}> Tj [(${'a'.repeat(1800)}) 9 (${String.raw`\141`.repeat(1800)})] TJ ET`,
      page: '/Resources << /Font << /T 6 0 R >> >>',
      more: [
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 99 99] /FontMatrix [.01 0 0 .01 0 0] /FirstChar 97 /LastChar 97 ' +
          '/Widths [99] /CharProcs << /a 7 0 R >> /Encoding << /Differences [97 /a] >> /Resources << >> >>',
        streamOf(`99 0 0 0 99 99 d1 ${SQUARES}`),
      ],
    }),
  ),
  hostile('mask behind itself', { refused: ['ambiguous'] }, () =>
    withMasks([mask('/M gs 1 g 0 0 99 99 re f', withMask(6))]),
  ),
  hostile('masks behind each other in a circle', { refused: ['ambiguous'] }, () =>
    withMasks([mask('/M gs 1 g 0 0 99 99 re f', withMask(7)), mask('/M gs 1 g 0 0 99 99 re f', withMask(6))]),
  ),
  hostile('name tree in a circle', { taken: 1, removed: ['EmbeddedFiles', 'JavaScript'] }, () =>
    makeOnePage({
      catalog: '/Names << /JavaScript 6 0 R /EmbeddedFiles 6 0 R /Dests 6 0 R >>',
      more: ['<< /Kids [6 0 R 6 0 R] /Limits [(a) (z)] >>'],
    }),
  ),
  hostile('layers in a circle', TAKEN, () =>
    makeOnePage({
      catalog: '/OCProperties << /OCGs [6 0 R 7 0 R] /D << /Order 7 0 R /OFF 7 0 R /AS 7 0 R >> >>',
      page: `/Resources << ${FONT} /Properties << /L 8 0 R >> >>`,
      more: [
        '<< /Type /OCG /Name (a) >>',
        '[6 0 R 7 0 R [7 0 R]]',
        '<< /Type /OCMD /OCGs 8 0 R /VE [/And 9 0 R] >>',
        '[/Not 9 0 R]',
      ],
    }),
  ),
  hostile('form fields in a circle', TAKEN, () =>
    makeOnePage({
      catalog: '/AcroForm << /Fields [6 0 R] /NeedAppearances true >>',
      page: '/Annots [7 0 R]',
      more: [
        '<< /FT /Tx /T (a) /V (x) /Kids [7 0 R 6 0 R] /Parent 7 0 R >>',
        '<< /Type /Annot /Subtype /Widget /Rect [0 0 9 9] /FT /Tx /T (b) /Kids [6 0 R 7 0 R] /Parent 6 0 R >>',
      ],
    }),
  ),
  hostile('colour space, function and mask in circles', TAKEN, () =>
    makeOnePage({
      page: `/Resources << ${FONT} /ColorSpace << /C 6 0 R >> /ExtGState << /G << /SMask 7 0 R /TR 8 0 R >> >> >>`,
      more: [
        '[/Indexed 6 0 R 1 <0000>]',
        '<< /S /Luminosity /G 7 0 R /TR 8 0 R >>',
        '<< /FunctionType 3 /Domain [0 1] /Functions [8 0 R 8 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>',
      ],
    }),
  ),
]
