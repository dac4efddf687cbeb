import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import sharp from 'sharp'
import { buildRevision0 } from './build-revision0.ts'
import { DECODERS } from '../testing/code-decoders.ts'
import { makeJpeg, makePdf, makePng, makeProtectedPdf, needJudge, runJudge } from '../testing.ts'
import * as odd from '../testing/odd-pdfs.ts'
import { prepareDocument } from '../review-document/prepare-document.ts'
import { type Certified, openWorkshop, SAMPLE_FIELDS, type Workshop } from '../testing/sample-request.ts'
import type { CertificateFields, SourceDocument } from '../types.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

interface Built extends Certified {
  text(): Promise<string[]>
  /** Grey pixels of a page, 0 black to 255 white, at one pixel per point. */
  render(page: number): Promise<{ pixels: Buffer; width: number; height: number; channels: number }>
}

async function build(documents: SourceDocument[], fields: Partial<CertificateFields> = {}): Promise<Built> {
  const built = await workshop.certify(documents, fields)
  const { path } = built
  return {
    ...built,
    // pdftotext ends every page with a form feed
    text: async () => (await runJudge('pdftotext', path, '-')).text.split('\f').slice(0, -1),
    async render(page) {
      const { output } = await runJudge('pdftoppm', '-r', '72', '-png', '-f', String(page), '-l', String(page), path)
      const { data, info } = await sharp(output).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      return { pixels: data, width: info.width, height: info.height, channels: info.channels }
    },
  }
}

async function buildPdf(bytes: Uint8Array): Promise<Built> {
  return build([await workshop.addOriginal(bytes, 'PDF')])
}

async function assertClean(path: string): Promise<void> {
  const { code, text } = await runJudge('qpdf', '--check', path)
  assert.equal(code, 0, text)
}

test('Certificate pages come first, then every page of every document in order, each stamped with its number', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext', 'pdfinfo')) return
  const built = await build([
    await workshop.addOriginal(makePdf({ pages: 2, text: 'Alpha' }), 'PDF'),
    await workshop.addOriginal(await makeJpeg(), 'JPEG'),
    await workshop.addOriginal(await makePng(), 'PNG'),
    await workshop.addOriginal(makePdf({ pages: 3, text: 'Beta' }), 'PDF'),
  ])
  assert.equal(built.pages, 8)
  await assertClean(built.path)
  assert.match((await runJudge('pdfinfo', built.path)).text, /Pages:\s+8\n/)
  const pages = await built.text()
  assert.equal(pages.length, 8)
  for (const [i, page] of pages.entries()) {
    assert.ok(page.includes(`page ${i + 1} of 8`), `number on page ${i + 1}`)
    assert.ok(page.includes(SAMPLE_FIELDS.proofId), `Proof ID on page ${i + 1}`)
    assert.ok(page.includes(SAMPLE_FIELDS.verifyUrl), `address on page ${i + 1}`)
  }
  assert.ok(pages[1]!.includes('Alpha 1') && pages[2]!.includes('Alpha 2'))
  assert.ok(pages[5]!.includes('Beta 1') && pages[7]!.includes('Beta 3'))
})

test('The certificate page names the proof, its people, times and files', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const original = await workshop.addOriginal(makePdf(), 'PDF', {
    title: 'Übergabeprotokoll',
    fileName: 'scan (1).pdf',
  })
  const [page] = await (await build([original])).text()
  for (const words of [
    'Notariat Müller & Søn',
    '7Q3K-9ZB4-M0XT-C8VN-5',
    'Lease agreement, 14 Rue Cler',
    'ada.lovelace',
    'grace.hopper',
    'Checked against the registry.',
    '18 November 2026, 09:12 UTC',
    '20 November 2026, 14:05 UTC',
    '20 November 2028, 00:00 UTC',
    'Übergabeprotokoll',
    'scan (1).pdf',
    'PDF',
    original.sha256,
    'p. 2',
  ]) {
    assert.ok(page!.includes(words), words)
  }
  assert.ok(!page!.includes('Test instance'))
})

test('No expiry is said in words, and a test instance says what it is', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const original = await workshop.addOriginal(makePdf(), 'PDF')
  const [page] = await (await build([original], { expiresAt: null, isTestInstance: true })).text()
  assert.ok(page!.includes('No expiry') && page!.includes('Test instance'))
})

test('16.8 the QR code on the rendered certificate is read by two decoders of others, to the last letter', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'zbarimg')) return
  const built = await buildPdf(makePdf())
  const { output } = await runJudge('pdftoppm', '-r', '100', '-png', '-f', '1', '-l', '1', built.path)
  const { address, data } = SAMPLE_FIELDS.code
  for (const decoder of DECODERS) assert.equal(await decoder.read(output), address + data, decoder.name)
})

test('A hundred files flow on to further certificate pages, and the page ranges fit', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const original = await workshop.addOriginal(makePdf({ pages: 2, text: 'Sheet' }), 'PDF', { title: 'Receipt' })
  const built = await build(Array.from({ length: 100 }, (_, i) => ({ ...original, fileName: `receipt-${i + 1}.pdf` })))
  const pages = await built.text()
  const certificatePages = built.pages - 200
  assert.ok(certificatePages >= 5 && certificatePages <= 12)
  const certificate = pages.slice(0, certificatePages).join('')
  for (let i = 1; i <= 100; i++) assert.ok(certificate.includes(`receipt-${i}.pdf`), `receipt-${i}.pdf`)
  const last = `p. ${built.pages - 1}–${built.pages}`
  assert.ok(certificate.includes(last), last)
  assert.ok(pages[certificatePages]!.includes('Sheet 1'))
  await assertClean(built.path)
})

test('The manifest is embedded as associated data and tells what the certificate tells', async (t) => {
  if (!needJudge(t, 'pdfdetach', 'qpdf')) return
  const original = await workshop.addOriginal(odd.makeActivePdf(), 'PDF', { title: 'Aktiv', fileName: 'a.pdf' })
  const built = await build([original])
  const path = join(workshop.folder, 'manifest.json')
  assert.match((await runJudge('pdfdetach', '-list', built.path)).text, /proofdesk\.json/)
  await runJudge('pdfdetach', '-savefile', 'proofdesk.json', '-o', path, built.path)
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  assert.equal(manifest.format, 'proofdesk-certificate')
  assert.equal(manifest.proof_id, SAMPLE_FIELDS.proofId)
  assert.equal(manifest.approved_at, '2026-11-20T14:05:00.000Z')
  const [entry] = manifest.originals
  assert.equal(entry.sha256, original.sha256)
  assert.equal(entry.first_page, 2)
  assert.equal(entry.is_pictured, false)
  assert.equal(entry.was_signed, false)
  assert.deepEqual(entry.removed_active_content, ['AA', 'FileAttachment', 'JavaScript', 'Launch', 'SubmitForm'])
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', built.path, '-')
  assert.match(text, /\/AFRelationship \/Data/)
  assert.match(text, /\/CheckSum/)
})

test('Active content is stripped: no script, launch, submission or attachment is left; plain links stay', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  const built = await buildPdf(odd.makeActivePdf())
  assert.deepEqual(built.prepared.originals, [
    {
      pages: 1,
      isPictured: false,
      removed: ['AA', 'FileAttachment', 'JavaScript', 'Launch', 'SubmitForm'],
      wasSigned: false,
      signatures: [],
    },
  ])
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', built.path, '-')
  for (const word of [
    '/JavaScript',
    '/JS',
    '/Launch',
    '/SubmitForm',
    '/ImportData',
    '/AA',
    '/OpenAction',
    '/FileAttachment',
  ]) {
    assert.ok(!text.includes(word), word)
  }
  for (const word of ['app.alert', 'evil.example', 'calc.exe', 'a.exe']) assert.ok(!text.includes(word), word)
  assert.ok(text.includes('https://example.org/'))
})

test('Pitfall 1: a file that needs a password is refused, never certified as blank pages', async () => {
  const original = await workshop.addOriginal(await makeProtectedPdf({ user: 'secret' }), 'PDF')
  const request = workshop.prepareRequest([await workshop.addOriginal(makePdf(), 'PDF'), original])
  await assert.rejects(prepareDocument(request), {
    code: 'document_refused',
    document: 1,
    reason: 'password_protected',
  })
  assert.ok(!existsSync(request.outPath))
})

test('A file with an owner password alone is certified with its words intact', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const pages = await (await buildPdf(await makeProtectedPdf({ owner: 'secret' }))).text()
  assert.ok(pages[1]!.includes('Protected 1') && pages[2]!.includes('Protected 2'))
})

test('Pitfall 4: a layer that is hidden stays hidden', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'qpdf')) return
  const built = await buildPdf(odd.makeHiddenLayer())
  const { pixels, width, channels } = await built.render(2)
  // the layer's words would stand around y = 842 - 320
  const band = pixels.subarray(490 * width * channels, 545 * width * channels)
  assert.ok(band.every((value) => value > 250))
  await assertClean(built.path)
})

test('Pitfall 5: a form field with a value but no picture of it gets one, also a read-only one', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext')) return
  const built = await buildPdf(odd.makeFormWithoutAppearance())
  assert.ok((await built.text())[1]!.includes('Ada Lovelace'))
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', built.path, '-')
  // poppler would draw the value by itself; most other viewers draw nothing but what /AP says
  assert.ok(!text.includes('/V (Ada Lovelace)') && text.includes('/PdNote0'), 'drawn, and no field any more')
  assert.match(text, /\(Ada Lovelace\) Tj|<416461204c6f76656c616365> Tj/i)
})

test('Pitfall 6: pages that share resources do not gather each other’s fonts', async () => {
  const small = await build([await workshop.addOriginal(makePdf({ pages: 10 }), 'PDF')])
  const large = await build([await workshop.addOriginal(makePdf({ pages: 210 }), 'PDF')])
  const perPage = (large.sizeBytes - small.sizeBytes) / 200
  assert.ok(perPage < 1500, `${perPage} bytes a page`)
})

test('Pitfall 7: state left open by a page neither moves nor hides the stamp', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  const honest = await (await buildPdf(makePdf())).render(2)
  for (const make of [odd.makeUnclosedState, odd.makeExtraRestore]) {
    const page = await (await buildPdf(make())).render(2)
    const strip = (picture: typeof honest): Buffer =>
      picture.pixels.subarray((picture.height - 18) * picture.width * picture.channels)
    assert.ok(strip(page).equals(strip(honest)), make.name)
  }
})

test('The stamp stands upright at the visible bottom edge of turned and cropped pages', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  // 16 points of each are the foot for the stamp
  const sizes: Record<number, [number, number]> = { 0: [450, 616], 90: [600, 466], 180: [450, 616], 270: [600, 466] }
  for (const [rotate, [width, height]] of Object.entries(sizes)) {
    const { path } = await buildPdf(odd.makeTurnedPage(Number(rotate)))
    const { text } = await runJudge('pdftotext', '-cropbox', '-bbox', '-f', '2', '-l', '2', path, '-')
    const words = [...text.matchAll(/xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.+?)</g)]
    const stamp = words.filter(([, , , , , word]) => word === SAMPLE_FIELDS.proofId || word === SAMPLE_FIELDS.verifyUrl)
    assert.equal(stamp.length, 2, `rotated by ${rotate}`)
    for (const [, left, top, right, bottom] of stamp) {
      const isAtBottom = Number(top) > height - 20 && Number(bottom) < height
      const isInside = Number(left) > 0 && Number(right) < width
      assert.ok(isAtBottom && isInside, `rotated by ${rotate}: ${left} ${top} ${right} ${bottom}`)
    }
  }
})

test('A page in larger units gets a stamp of the same printed size', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const pages = await (await buildPdf(odd.makeUserUnitPage())).text()
  assert.ok(pages[1]!.includes('page 2 of 2'))
})

test('What a page inherits from the page tree comes with it', async (t) => {
  if (!needJudge(t, 'pdfinfo', 'pdftotext')) return
  const built = await buildPdf(odd.makeInheritingPdf())
  const { text } = await runJudge('pdfinfo', '-f', '2', '-l', '2', built.path)
  assert.match(text, /Page\s+2 size:\s+416 x 600/)
  assert.match(text, /Page\s+2 rot:\s+90/)
  assert.ok((await built.text())[1]!.includes('Original words'))
})

test('Content cut between tokens is joined, and content that two pages share keeps each page’s fonts', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf', 'pdffonts')) return
  const split = await buildPdf(odd.makeSplitContent())
  assert.ok((await split.text())[1]!.includes('Original words'))
  const shared = await buildPdf(odd.makeSharedContent())
  const pages = await shared.text()
  assert.ok(pages[1]!.includes('Original words') && pages[2]!.includes('Original words'))
  const fontsOf = async (page: string): Promise<string> =>
    (await runJudge('pdffonts', '-f', page, '-l', page, shared.path)).text
  assert.match(await fontsOf('2'), /Helvetica/)
  assert.doesNotMatch(await fontsOf('2'), /Times/)
  assert.match(await fontsOf('3'), /Times-Roman/)
  await assertClean(split.path)
  await assertClean(shared.path)
})

test('References to nothing and to the old page tree are dropped', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  await assertClean((await buildPdf(odd.makeDanglingPdf())).path)
})

test('Pitfall 13: an old signature field goes, its picture stays, and the manifest says that it was there', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdftotext')) return
  const built = await buildPdf(odd.makeSignedPdf())
  const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', built.path, '-')
  assert.equal(text.split('/FT /Sig').length - 1, 1, 'our own field alone')
  assert.ok(!text.includes('/ByteRange') && !text.includes('adbe.pkcs7.detached'))
  assert.match(text, /"was_signed": true/)
  assert.ok((await built.text())[1]!.includes('Signed by Grace'))
})

test('A photograph with Exif orientation stands upright and is not compressed again', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  const upright = await makeJpeg({ width: 320, height: 200 })
  const bytes = await makeJpeg({ width: 320, height: 200, orientation: 6 })
  const built = await build([await workshop.addOriginal(bytes, 'JPEG'), await workshop.addOriginal(upright, 'JPEG')])
  // from its tables on: how the camera was held is left out, which only browsers heed
  assert.ok((await readFile(built.path)).includes(bytes.subarray(bytes.indexOf('\xff\xdb', 0, 'latin1'))))
  const turned = await built.render(2)
  assert.ok(turned.height > turned.width, 'an upright page')
  const at = (x: number, y: number): string => {
    const offset = (Math.round(y * turned.height) * turned.width + Math.round(x * turned.width)) * turned.channels
    const [red, green, blue] = turned.pixels.subarray(offset, offset + 3)
    return red! > 120 && green! < 90 ? 'red' : blue! > 120 && green! < 90 ? 'blue' : green! > 100 ? 'green' : 'other'
  }
  // turned a quarter clockwise: what was left is on top, what was the top is on the right
  assert.equal(at(0.45, 0.45), 'red')
  assert.equal(at(0.45, 0.55), 'blue')
  const straight = await built.render(3)
  assert.ok(straight.width > straight.height, 'a lying page')
})

test('CMYK photographs keep their colours', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  const built = await build([await workshop.addOriginal(await makeJpeg({ kind: 'cmyk' }), 'JPEG')])
  const { pixels, width, height, channels } = await built.render(2)
  const offset = (Math.round(height * 0.5) * width + Math.round(width * 0.42)) * channels
  const [red, green, blue] = pixels.subarray(offset, offset + 3)
  assert.ok(red! > 120 && green! < 110 && blue! < 110, `${red} ${green} ${blue}`)
})

test('Pitfall 10: PNG pixels go in without loss, whatever their kind', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'qpdf')) return
  for (const kind of ['rgb', 'alpha', 'palette', '16bit', '16bit-alpha', 'interlaced'] as const) {
    const built = await build([await workshop.addOriginal(await makePng({ kind }), 'PNG')])
    await assertClean(built.path)
    const { pixels, width, height, channels } = await built.render(2)
    const at = (x: number, y: number): number[] => {
      const offset = (Math.round(height * y) * width + Math.round(width * x)) * channels
      return [...pixels.subarray(offset, offset + 3)]
    }
    const hasAlpha = kind.endsWith('alpha')
    // the picture is 240 x 150 points in the middle of a lying A4 page; its left quarter is transparent
    assert.deepEqual(at(0.39, 0.5), hasAlpha ? [255, 255, 255] : [200, 20, 20], `${kind}, left`)
    assert.deepEqual(at(0.46, 0.5), [200, 20, 20], `${kind}, middle left`)
    assert.deepEqual(at(0.58, 0.5), [20, 20, 200], `${kind}, right`)
  }
})

test('A plain PNG costs no more bytes than it has', async () => {
  const noise = await sharp({
    create: {
      width: 900,
      height: 900,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
  const base = await build([await workshop.addOriginal(await makePng({ width: 4, height: 4 }), 'PNG')])
  const built = await build([await workshop.addOriginal(noise, 'PNG')])
  assert.ok(built.sizeBytes - base.sizeBytes < noise.length * 1.02)
})

test('A chain of 100,000 references is copied without ending the stack', async () => {
  const built = await buildPdf(odd.makeReferenceChain(100_000))
  assert.equal(built.pages, 2)
})

test('An original that is not the file whose hash was recorded is not certified', async () => {
  const original = await workshop.addOriginal(makePdf(), 'PDF')
  const request = workshop.prepareRequest([{ ...original, sha256: '00'.repeat(32) }])
  await assert.rejects(prepareDocument(request), { code: 'source_changed', document: 0 })
  assert.ok(!existsSync(request.outPath))
})

test('More pages than are allowed together are refused', async () => {
  const original = await workshop.addOriginal(makePdf({ pages: 6 }), 'PDF')
  const request = { ...workshop.prepareRequest([original, original]), maxPages: 11 }
  await assert.rejects(prepareDocument(request), { code: 'document_refused', document: 1, reason: 'too_many_pages' })
})

test('A build that cannot be written leaves nothing behind', async () => {
  const original = await workshop.addOriginal(makePdf(), 'PDF')
  const order = workshop.prepareRequest([original])
  await mkdir(order.outPath)
  await assert.rejects(prepareDocument(order))
  const request = workshop.buildRequest(await workshop.prepare([original]))
  await mkdir(request.outPath)
  await assert.rejects(buildRevision0(request))
  assert.deepEqual(
    (await readdir(workshop.folder)).filter((name) => name.endsWith('.part')),
    [],
  )
})

test('Titles in any script and of any length are set: no line leaves the page, no character is an empty box', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const titles = [
    'قرارداد اجارهٔ آپارتمان شمارهٔ ۱۴ (Rue Cler) – نسخهٔ نهایی v2',
    'Đơn xin việc – Ελληνικά – Договор №7 – Übergabe, façade, ŁÓDŹ',
    '租赁合同 最终版本 \u{1f9fe} \ud800 \u0000 \u202e abc',
    'x'.repeat(3000),
    'word '.repeat(400),
    '',
  ]
  for (const title of titles) {
    const original = await workshop.addOriginal(makePdf(), 'PDF', {
      title: title.slice(0, 400),
      fileName: `${title.slice(0, 120)}.pdf`,
    })
    const built = await build([original], { title, description: title, username: title.slice(0, 60) || 'ada' })
    await assertClean(built.path)
    const { text } = await runJudge('pdftotext', '-bbox', '-f', '1', '-l', '1', built.path, '-')
    for (const [, left, right] of text.matchAll(/xMin="(.+?)" yMin=".+?" xMax="(.+?)"/g)) {
      assert.ok(Number(left) >= 0 && Number(right) <= 596, `${left} to ${right}: ${title.slice(0, 20)}`)
    }
  }
})
