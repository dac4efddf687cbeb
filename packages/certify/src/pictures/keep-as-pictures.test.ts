import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { deflateSync } from 'node:zlib'
import { needJudge, runJudge } from '../testing.ts'
import { makeSmallPage, say, withImage } from '../testing/ambiguous-file.ts'
import { makeOpensslSigner, signBy } from '../testing/openssl-signer.ts'
import { writeRawPdf } from '../testing/raw-pdf.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import { signPdf } from '../testing/signed-pdfs.ts'
import { PICTURED_MAX_PAGES } from './keep-as-pictures.ts'

/** Poppler goes on where the path ended, others where the text did. */
const UNLIKE = 'BT /F1 12 Tf 20 20 Td (ONE) Tj 20 10 100 3 re f (TWO) Tj ET'
const pictured = (pages: number) => ({ ok: true, type: 'PDF', pages, isPictured: true })

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const prepare = async (bytes: Buffer, isPictured = true) =>
  workshop.prepare([await workshop.addOriginal(bytes, 'PDF', { isPictured })])

/** As pdftotext finds them on a page of the review document: left and top in points. */
async function findWords(path: string): Promise<Map<string, { left: number; top: number }>> {
  const { output } = await runJudge('pdftotext', '-bbox', path, '-')
  const words = output.toString('utf8').matchAll(/xMin="([\d.-]+)" yMin="([\d.-]+)"[^>]*>([^<]*)</g)
  return new Map([...words].map(([, left, top, word]) => [word!, { left: Number(left), top: Number(top) }]))
}

/** Of the first picture of a review document, in pixels. */
async function readSize(path: string): Promise<[number, number]> {
  const [, width, height] = /\/Width (\d+)\s*\/Height (\d+)/.exec((await readFile(path)).toString('latin1')) ?? []
  return [Number(width), Number(height)]
}

test('the words of a file that is kept as pictures lie where they are seen, also on a page that is turned and cropped', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  for (const [page, expected] of [
    ['', { left: 20, top: 200 - 150 - 22 }],
    ['/CropBox [10 20 190 180]', { left: 10, top: 180 - 150 - 22 }],
    // turned to the right, what stood 150 points above the foot is 150 points from the left edge
    ['/Rotate 90', { left: 150, top: 20 }],
    ['/Rotate 90 /CropBox [10 20 190 180]', { left: 130, top: 10 }],
    ['/Rotate 180', { left: 200 - 20 - 107, top: 150 }],
    ['/Rotate 270', { left: 200 - 150 - 22, top: 200 - 20 - 107 }],
  ] as const) {
    const bytes = makeSmallPage({ content: `${say('DIPLOMA', 150)} ${UNLIKE}`, page })
    assert.deepEqual(await workshop.inspect(bytes), pictured(1))
    const { path } = await prepare(bytes)
    const found = (await findWords(path)).get('DIPLOMA')
    assert.ok(found, page)
    const [across, down] = [found.left - expected.left, found.top - expected.top]
    // pdftotext allows for what a letter has below its line
    assert.ok(Math.abs(across) < 8 && Math.abs(down) < 8, JSON.stringify(found))
  }
})

test('what is kept as pictures comes out the same, byte for byte, each time', async () => {
  const bytes = makeSmallPage({ content: UNLIKE })
  const original = await workshop.addOriginal(bytes, 'PDF', { isPictured: true })
  const [one, other] = [await workshop.prepare([original]), await workshop.prepare([original])]
  assert.notEqual(one.path, other.path)
  assert.equal(one.sha256, other.sha256)
})

test('print is packed without loss, a photograph as one', async () => {
  const kindOf = async (bytes: Buffer): Promise<string> => {
    const { path } = await prepare(bytes)
    return (await readFile(path)).includes('/DCTDecode') ? 'JPEG' : 'packed'
  }
  const grains = Buffer.from(Array.from({ length: 300 * 300 }, (_, i) => (i * 7919 * ((i % 251) + 1)) % 256))
  assert.equal(await kindOf(makeSmallPage({ content: UNLIKE })), 'packed')
  const photograph = withImage('/Width 300 /Height 300 /BitsPerComponent 8 /ColorSpace /DeviceGray', grains)
  assert.equal(await kindOf(photograph), 'JPEG')
})

test('fine coloured print is packed without loss, also where it takes as many bytes as a photograph', async () => {
  for (const [side, size] of [
    [130, 3],
    [500, 4],
  ] as const) {
    const lines = Array.from({ length: side / size }, (_, row) => {
      const letters = Array.from({ length: side / 2 }, (__, at) => String.fromCharCode(97 + ((row * 7 + at * at) % 26)))
      return `1 0 0 1 1 ${row * size} Tm (${letters.join('')}) Tj`
    })
    const content = `${UNLIKE} BT 1 0 0 rg /F1 ${size} Tf ${lines.join(' ')} ET`
    const { path } = await prepare(makeSmallPage({ content, page: `/MediaBox [0 0 ${side} ${side}]` }))
    const bytes = await readFile(path)
    const [width, height] = await readSize(path)
    assert.equal(bytes.includes('/DCTDecode'), false, `${side}`)
    assert.ok(bytes.length < 0.5 * width * height + 10_000, `${bytes.length}`)
  }
})

test('a picture takes at most half a byte for each pixel, also one of noise', async () => {
  const noise = randomBytes(1000 * 1000 * 3)
  const bytes = withImage('/Width 1000 /Height 1000 /BitsPerComponent 8 /ColorSpace /DeviceRGB', noise)
  const { sizeBytes, path } = await prepare(bytes)
  const [width, height] = await readSize(path)
  assert.ok(sizeBytes < 0.5 * width * height, `${sizeBytes} ${width} ${height}`)
})

test('words of which the picture shows nothing are left out: of hidden layers, white ones, and those that are covered', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const hidden = `/OC /Off BDC ${say('SECRET', 100)} EMC`
  const white = `1 g ${say('INVISIBLE', 74)} 0 g`
  const covered = `${say('COVERED', 40)} 0.5 g 10 30 180 35 re f 0 g`
  const bytes = makeSmallPage({
    content: `${say('DIPLOMA', 150)} ${hidden} ${white} ${covered} ${UNLIKE}`,
    resources: '/Properties << /Off 6 0 R >>',
    catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>',
    more: ['<< /Type /OCG /Name (Off) >>'],
  })
  assert.deepEqual(await workshop.inspect(bytes), pictured(1))
  const { path } = await prepare(bytes)
  assert.deepEqual([...(await findWords(path)).keys()].sort(), ['DIPLOMA', 'ONETWO'])
})

test('words of annotations and fields that are seen lie over the picture, also of a field that has a value and no picture', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const { path } = await prepare(makeMarkedPage())
  const found = await findWords(path)
  assert.deepEqual([...found.keys()].sort(), ['DIPLOMA', 'ENTERED', 'NOTED', 'ONETWO', 'UNDRAWN'])
  for (const [word, left, bottom] of [
    ['ENTERED', 20, 100],
    ['NOTED', 20, 70],
  ] as const) {
    const { left: across, top } = found.get(word)!
    assert.ok(Math.abs(across - left) < 4 && Math.abs(200 - top - bottom - 14) < 8, `${word} ${across} ${top}`)
  }
})

test('words of annotations that no screen shows, that hang on a layer, are white or covered are not beside the picture', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  // with the same ones shown
  for (const [entries, isSeen] of [
    ['', true],
    ['/F 2', false],
    ['/F 32', false],
    ['/OC 6 0 R', false],
  ] as const) {
    const bytes = makeSmallPage({
      content: `${say('DIPLOMA', 150)} ${UNLIKE}`,
      page: '/Annots [7 0 R]',
      catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>',
      more: ['<< /Type /OCG /Name (Off) >>', markOf(`/Subtype /Stamp ${entries}`, 100, 8), picture('0 g', 'SECRET')],
    })
    const words = [...(await findWords((await prepare(bytes)).path)).keys()]
    assert.equal(words.includes('SECRET'), isSeen, entries)
  }
  const bytes = makeSmallPage({
    content: `${say('DIPLOMA', 150)} ${UNLIKE} 0.5 g 20 130 50 15 re f`,
    page: '/Annots [6 0 R 8 0 R 10 0 R]',
    more: [
      markOf('/Subtype /Stamp', 100, 7),
      picture('1 g', 'INVISIBLE'),
      markOf('/Subtype /Stamp', 70, 9),
      picture('0 g', 'COVERED'),
      markOf('/Subtype /Stamp', 70, 11),
      picture('0 0 160 20 re f', ''),
    ],
  })
  const words = [...(await findWords((await prepare(bytes)).path)).keys()]
  assert.deepEqual(words.sort(), ['DIPLOMA', 'ONETWO'])
})

/** Annotation of 160 by 20 points. @param look Number of its picture. */
const markOf = (entries: string, bottom: number, look: number): string =>
  `<< /Type /Annot /Rect [20 ${bottom} 180 ${bottom + 20}] ${entries} /AP << /N ${look} 0 R >> >>`

function picture(colour: string, word: string): string {
  const content = `${colour} BT /F1 14 Tf 0 5 Td (${word}) Tj ET`
  return `<< /Type /XObject /Subtype /Form /BBox [0 0 160 20] /Resources << /Font << /F1 4 0 R >> >> /Length ${content.length} >>\nstream\n${content}\nendstream`
}

/** A field with a picture, one with a value alone, and a note that is written on the page. */
function makeMarkedPage(): Buffer {
  const field = '/Subtype /Widget /FT /Tx /F 4 /DA (/F1 14 Tf 0 g)'
  return makeSmallPage({
    content: `${say('DIPLOMA', 150)} ${UNLIKE}`,
    page: '/Annots [6 0 R 8 0 R 10 0 R]',
    catalog: '/AcroForm << /Fields [6 0 R 10 0 R] /DR << /Font << /F1 4 0 R >> >> /DA (/F1 14 Tf 0 g) >>',
    more: [
      markOf(`${field} /T (one) /V (ENTERED)`, 100, 7),
      picture('0 g', 'ENTERED'),
      markOf('/Subtype /FreeText /F 4 /Contents (NOTED) /DA (/F1 14 Tf 0 g)', 70, 9),
      picture('0 g', 'NOTED'),
      `<< /Type /Annot ${field} /Rect [20 40 180 60] /T (two) /V (UNDRAWN) >>`,
    ],
  })
}

test('a page whose unit is larger than a point keeps its size', async () => {
  const { path } = await prepare(makeSmallPage({ content: UNLIKE, page: '/UserUnit 2' }))
  assert.match((await readFile(path)).toString('latin1'), /\/UserUnit 2/)
  assert.deepEqual(await readSize(path), [1111, 1111])
  for (const unit of ['0.0000000001', '99999999999999999999999999', '-2', '0', '/Two', '[2]']) {
    const odd = makeSmallPage({ content: UNLIKE, page: `/UserUnit ${unit}` })
    assert.equal((await workshop.inspect(odd)).ok, true)
    assert.equal((await prepare(odd)).pages, 1)
  }
})

test(`a file that readers show in different ways is refused beyond ${PICTURED_MAX_PAGES} pages`, async () => {
  for (const [pages, expected] of [
    [PICTURED_MAX_PAGES, pictured(PICTURED_MAX_PAGES)],
    [PICTURED_MAX_PAGES + 1, { ok: false, reason: 'ambiguous' }],
  ] as const) {
    const kids = Array.from({ length: pages }, (_, i) => 5 + i)
    const bytes = writeRawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count ${pages} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /MediaBox [0 0 200 200] /Resources << /Font << /F1 4 0 R >> >> >>`,
      `<< /Length ${UNLIKE.length} >>\nstream\n${UNLIKE}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...kids.map(() => '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>'),
    ])
    assert.deepEqual(await workshop.inspect(bytes), expected)
  }
})

test('an image among the operators of a page of which Chrome shows nothing makes the file refused, whatever its resources name', async () => {
  const image = 'q 160 0 0 160 20 20 cm BI /W 8 /H 8 /BPC 5 /CS /G ID 0123456789012345678901234567890123456789 EI Q'
  const bytes = writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 2 /Kids [6 0 R 7 0 R] /MediaBox [0 0 200 200] >>',
    `<< /Length ${UNLIKE.length} >>\nstream\n${UNLIKE}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${image.length} >>\nstream\n${image}\nendstream`,
    '<< /Type /Page /Parent 2 0 R /Contents 3 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << >> >>',
  ])
  assert.deepEqual(await workshop.inspect(bytes), { ok: false, reason: 'ambiguous' })
})

test('a page that holds something and of which Chrome shows nothing makes the file refused; an empty page stays one', async () => {
  const covered = makeSmallPage({ content: `${UNLIKE} 1 g 0 0 200 200 re f` })
  assert.deepEqual(await workshop.inspect(covered), { ok: false, reason: 'ambiguous' })
  const withEmpty = writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 2 /Kids [5 0 R 6 0 R] /MediaBox [0 0 200 200] >>',
    `<< /Length ${UNLIKE.length} >>\nstream\n${UNLIKE}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /Contents 3 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R >>',
  ])
  assert.deepEqual(await workshop.inspect(withEmpty), pictured(2))
  assert.equal((await prepare(withEmpty)).pages, 2)
})

test('a page with a fault within its data makes the file refused as damaged, whatever else readers show in different ways', async () => {
  const packed = deflateSync(Buffer.from(`${say('DIPLOMA', 150)} `.repeat(400)))
  const write = (data: Buffer): Buffer =>
    writeRawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 2 /Kids [6 0 R 7 0 R] /MediaBox [0 0 200 200] /Resources << /Font << /F1 4 0 R >> /ExtGState << /P 8 0 R >> >> >>',
      `<< /Length ${UNLIKE.length} >>\nstream\n${UNLIKE}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      `<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`,
      '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>',
      '<< /Type /Page /Parent 2 0 R /Contents [3 0 R 5 0 R] >>',
      // found before content is looked at
      '<< /Type /ExtGState /LW -5 >>',
    ])
  assert.deepEqual(await workshop.inspect(write(packed)), pictured(2))
  const broken = Buffer.concat([packed.subarray(0, 20), Buffer.alloc(20, 0xff), packed.subarray(40)])
  assert.deepEqual(await workshop.inspect(write(broken)), { ok: false, reason: 'unreadable' })
})

test('a page of a size that no page has is refused, a large one is drawn coarser', async () => {
  const sized = (box: string): Buffer => makeSmallPage({ content: UNLIKE, page: `/MediaBox [0 0 ${box}]` })
  assert.deepEqual(await workshop.inspect(sized('20000 200')), { ok: false, reason: 'ambiguous' })
  const { path } = await prepare(sized('14000 14000'))
  const [width, height] = await readSize(path)
  assert.ok(width * height < 12_100_000, `${width} ${height}`)
})

test('a file that was taken in before a rule came is kept as pictures, and is not refused', async () => {
  const bytes = makeSmallPage({ content: '/P gs /F1 24 Tf', resources: '/ExtGState << /P << /LW -5 >> >>' })
  const { originals } = await prepare(bytes, false)
  assert.equal(originals[0]?.isPictured, true)
})

test('who signed a file that is kept as pictures is told', async (t) => {
  if (!needJudge(t, 'openssl')) return
  const ada = await makeOpensslSigner(workshop.folder, 'P-256', '/CN=Ada Lovelace')
  const { originals } = await prepare(await signPdf({ sign: signBy(workshop.folder, ada) }))
  assert.equal(originals[0]?.wasSigned, true)
  assert.deepEqual(
    originals[0].signatures.map(({ signer, state }) => [signer, state]),
    [['Ada Lovelace', 'whole']],
  )
})
