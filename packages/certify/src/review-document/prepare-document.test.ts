import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { makeJpeg, makePdf, needJudge, runJudge, writeRawPdf } from '../testing.ts'
import { listObjects, listPageNumbers, listUnreachable } from '../testing/file-objects.ts'
import * as odd from '../testing/odd-pdfs.ts'
import { openWorkshop, type Prepared, type Workshop } from '../testing/sample-request.ts'
import { prepareDocument } from './prepare-document.ts'
import { readReviewDocument } from './read-review-document.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const preparePdf = async (bytes: Uint8Array): Promise<Prepared> =>
  workshop.prepare([await workshop.addOriginal(bytes, 'PDF')])

test('A review document is clean, tells what became of each original, and has each as a bookmark to its first page', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdfinfo', 'pdftotext')) return
  const prepared = await workshop.prepare([
    await workshop.addOriginal(makePdf({ pages: 2, text: 'Alpha' }), 'PDF', { title: 'Übergabe (1)' }),
    await workshop.addOriginal(await makeJpeg(), 'JPEG', { title: 'قرارداد' }),
    await workshop.addOriginal(odd.makeSignedPdf(), 'PDF', { title: 'Signed' }),
    await workshop.addOriginal(odd.makeActivePdf(), 'PDF', { title: 'Active' }),
  ])
  const checked = await runJudge('qpdf', '--check', prepared.path)
  assert.equal(checked.code, 0, checked.text)
  assert.deepEqual(prepared.originals, [
    { pages: 2, isPictured: false, removed: [], wasSigned: false, signatures: [] },
    { pages: 1, isPictured: false, removed: [], wasSigned: false, signatures: [] },
    {
      pages: 1,
      isPictured: false,
      removed: [],
      wasSigned: true,
      signatures: [{ kind: 'signature', signer: null, issuer: null, signedAt: null, timeBy: null, state: 'broken' }],
    },
    {
      pages: 1,
      isPictured: false,
      removed: ['AA', 'FileAttachment', 'JavaScript', 'Launch', 'SubmitForm'],
      wasSigned: false,
      signatures: [],
    },
  ])
  assert.equal(prepared.pages, 5)
  const { output } = await runJudge('qpdf', '--json', '--json-key=outlines', prepared.path)
  const { outlines } = JSON.parse(output.toString('utf8')) as {
    outlines: { title: string; destpageposfrom1: number }[]
  }
  assert.deepEqual(
    outlines.map((item) => [item.title, item.destpageposfrom1]),
    [
      ['Übergabe (1)', 1],
      ['قرارداد', 3],
      ['Signed', 4],
      ['Active', 5],
    ],
  )
  const { text } = await runJudge('pdfinfo', prepared.path)
  assert.match(text, /Title:\s+Lease agreement, 14 Rue Cler\n/)
  assert.doesNotMatch(text, /Date:/)
  const words = (await runJudge('pdftotext', prepared.path, '-')).text
  assert.ok(words.includes('Alpha 2') && !words.includes('page 1 of'), 'no stamps')
})

test('The same documents under the same titles give the same bytes, other titles do not', async () => {
  const documents = [
    await workshop.addOriginal(odd.makeAnnotated(), 'PDF'),
    await workshop.addOriginal(await makeJpeg({ orientation: 6 }), 'JPEG'),
  ]
  const [first, again] = [await workshop.prepare(documents), await workshop.prepare(documents)]
  assert.equal(first.sha256, again.sha256)
  assert.ok((await readFile(first.path)).equals(await readFile(again.path)))
  const other = await workshop.prepare(documents.map((document) => ({ ...document, title: 'Another' })))
  assert.notEqual(first.sha256, other.sha256)
})

test('What pages need comes first, then the pages in order, each drawing one form by the content that all share', async () => {
  const prepared = await workshop.prepare([
    await workshop.addOriginal(makePdf({ pages: 3 }), 'PDF'),
    await workshop.addOriginal(await makeJpeg(), 'JPEG'),
  ])
  const file = await readFile(prepared.path)
  const pages = listPageNumbers(file)
  assert.deepEqual(
    pages,
    pages.map((_, i) => pages[0]! + i),
  )
  const objects = listObjects(file)
  for (const number of pages) {
    const text = objects[number - 1]!.toString('latin1')
    assert.match(text, /\/Resources <<\n\/XObject <<\n\/PdPage \d+ 0 R\n>>\n>>\n/)
    assert.ok(text.includes(`/Contents ${pages.at(-1)! + 1} 0 R\n`))
  }
  assert.ok(objects[pages.at(-1)!]!.includes('q /PdPage Do Q\n'))
  assert.deepEqual(listUnreachable(file), [])
})

test('A page without content stays an empty page, also when no other shows anything', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdfinfo')) return
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] >>'
  const tree = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'
  const empty = await workshop.addOriginal(writeRawPdf(['<< /Type /Catalog /Pages 2 0 R >>', tree, page]), 'PDF')
  const full = await workshop.addOriginal(makePdf(), 'PDF')
  for (const documents of [[empty], [empty, full]]) {
    const certified = await workshop.certify(documents)
    for (const path of [certified.prepared.path, certified.path]) {
      assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
    }
    assert.match((await runJudge('pdfinfo', certified.prepared.path)).text, /300 x 400/)
    assert.match((await runJudge('pdftotext', '-f', '2', '-l', '2', certified.path, '-')).text, /page 2 of/)
  }
})

test('Boxes, turns and units of a page are written out as readers take them', async () => {
  const page = (entries: string): Buffer =>
    writeRawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      `<< /Type /Page /Parent 2 0 R ${entries} >>`,
    ])
  const written = async (entries: string): Promise<string> => {
    const file = await readFile((await preparePdf(page(entries))).path)
    const text = listObjects(file)[listPageNumbers(file)[0]! - 1]!.toString('latin1')
    return /\/Type \/Page\n([^]*?)\n\/Resources/.exec(text)![1]!.replaceAll('\n', ' ')
  }
  assert.equal(await written('/MediaBox [595 842 0 0]'), '/MediaBox [0 0 595 842]')
  assert.equal(await written('/MediaBox [0 0 0 0] /Rotate 45'), '/MediaBox [0 0 612 792]')
  assert.equal(
    await written('/MediaBox [0 0 200 300] /CropBox [-9 10.5 150 999] /Rotate -90 /UserUnit 2.5 /TrimBox [1 2 3 4]'),
    '/MediaBox [0 0 200 300] /CropBox [0 10.5 150 300] /TrimBox [1 2 3 4] /Rotate 270 /UserUnit 2.5',
  )
  assert.equal(await written('/MediaBox [0 0 200 300] /CropBox [400 400 500 500]'), '/MediaBox [0 0 200 300]')
})

test('No document at all is an error that says so', async () => {
  const request = workshop.prepareRequest([])
  await assert.rejects(prepareDocument(request), { code: 'build_failed', message: 'there is no document to prepare' })
  assert.ok(!existsSync(request.outPath))
})

test('No cut of a review document and no other bytes are taken for one, and nothing crashes the reader', async () => {
  const whole = await readFile((await preparePdf(makePdf({ pages: 2 }))).path)
  assert.equal(readReviewDocument(whole).pages.length, 2)
  for (let length = 0; length < whole.length; length++) {
    assert.throws(() => readReviewDocument(whole.subarray(0, length)), { code: 'build_failed' })
  }
  const certified = await readFile((await workshop.certify([await workshop.addOriginal(makePdf(), 'PDF')])).path)
  for (const bytes of [makePdf(), certified]) {
    assert.throws(() => readReviewDocument(bytes), { code: 'build_failed' })
  }
  const text = whole.toString('latin1')
  const changes: [RegExp, string][] = [
    [/\/Kids \[(\d+) 0 R (\d+) 0 R\]/, '/Kids [$2 0 R $1 0 R]'],
    [/\/Count 2\n>>\nendobj\n(?=\d+ 0 obj\n<<\n\/Type \/Outlines|\d)/, '/Count 3\n>>\nendobj\n'],
    [/\/MediaBox \[0 0/, '/MediaBox [0 R'],
    [/\/PdPage (\d+)/, '/PdPagf $1'],
    [/\/Parent \d/, '/Parent 1'],
    [/\/Contents \d/, '/Contents 1'],
    [/ 00000 n\r\n/g, ' 00001 n\r\n'],
    [/0000000000 65535/, '0000000001 65535'],
    [/\/Type \/Catalog/, '/Type /Catalox'],
    [/\/Root \d+/, '/Root 99'],
    [/startxref\n\d/, 'startxref\n9'],
    [/\/Size \d/, '/Size 9'],
  ]
  for (const [from, to] of changes) {
    const changed = text.replace(from, to)
    assert.notEqual(changed, text, String(from))
    assert.throws(() => readReviewDocument(Buffer.from(changed, 'latin1')), { code: 'build_failed' }, String(from))
  }
})
