import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import sharp, { type OutputInfo } from 'sharp'
import { makeJpeg, makePdf, makePng, needJudge, runJudge, writeRawPdf } from '../testing.ts'
import { listObjects, listPageNumbers, listUnreachable } from '../testing/file-objects.ts'
import * as odd from '../testing/odd-pdfs.ts'
import { type Certified, openWorkshop, type Workshop } from '../testing/sample-request.ts'
import type { BuildRequest } from '../types.ts'
import { buildRevision0 } from './build-revision0.ts'

/** Points that a page of a PDF is taller with its stamp. */
const FOOT = 16

let workshop: Workshop
let certified: Certified

before(async () => {
  workshop = await openWorkshop()
  certified = await workshop.certify([
    await workshop.addOriginal(makePdf({ pages: 2, text: 'Alpha' }), 'PDF'),
    await workshop.addOriginal(odd.makeTurnedPage(90), 'PDF'),
    await workshop.addOriginal(odd.makeSharedContent(), 'PDF'),
    await workshop.addOriginal(odd.makeAnnotated(), 'PDF'),
    await workshop.addOriginal(odd.makeUnclosedState(), 'PDF'),
    await workshop.addOriginal(await makeJpeg({ orientation: 6 }), 'JPEG'),
    await workshop.addOriginal(await makePng({ kind: 'alpha' }), 'PNG'),
  ])
})
after(() => workshop.close())

test('All that the pages show is in the certified PDF byte for byte as in the review document, and nothing else of it', async () => {
  const [review, built] = await Promise.all([readFile(certified.prepared.path), readFile(certified.path)])
  const first = listPageNumbers(review)[0]!
  const needed = listObjects(review).slice(0, first - 1)
  assert.ok(needed.length > 10)
  for (const [i, object] of listObjects(built).slice(0, needed.length).entries()) assert.ok(object.equals(needed[i]!))
  assert.deepEqual(listPageNumbers(built).slice(-certified.prepared.pages), listPageNumbers(review))
  assert.deepEqual(listUnreachable(built), [])
  assert.ok(!built.includes('/Outlines'))
  const formOf = (file: Buffer, page: number): string =>
    /\/PdPage \d+ 0 R/.exec(listObjects(file)[page - 1]!.toString('latin1'))![0]
  for (const page of listPageNumbers(review)) assert.equal(formOf(built, page), formOf(review, page))
})

test('Pages of the certified PDF look as in the review document but for the stamp', async (t) => {
  if (!needJudge(t, 'pdftoppm')) return
  const { prepared } = certified
  const front = certified.pages - prepared.pages
  for (let page = 1; page <= prepared.pages; page++) {
    const [read, now] = await Promise.all([drawPage(prepared.path, page), drawPage(certified.path, front + page)])
    const { width, height, channels } = read.info
    // pages of images have room for the stamp, the others are given some
    const foot = page <= prepared.pages - 2 ? FOOT : 0
    assert.deepEqual([now.info.width, now.info.height], [width, height + foot])
    const same = (height + foot - 18) * width * channels
    assert.ok(now.data.subarray(0, same).equals(read.data.subarray(0, same)), `page ${page}`)
    if (foot > 0) assert.ok(now.data.subarray(0, read.data.length).equals(read.data), `page ${page} is whole`)
    assert.ok(
      now.data.subarray(same).some((value) => value < 200),
      `page ${page} is stamped`,
    )
  }
})

test('What stands at the very foot of a page stays in sight above the stamp, and what its crop box hides stays hidden', async (t) => {
  if (!needJudge(t, 'pdftoppm', 'qpdf')) return
  for (const turned of [0, 90, 180, 270]) {
    for (const [boxes, width, height] of [
      ['', 500, 700],
      ['/CropBox [50 100 450 600]', 400, 500],
      ['/CropBox [0 0 500 600]', 500, 600],
      // Poppler draws units as points
      ['/CropBox [50 100 450 600] /UserUnit 2', 400, 500],
      // narrower than the stamp
      ['/CropBox [200 100 300 600]', 100, 500],
    ] as const) {
      const bytes = odd.makeOnePage({
        box: '0 0 500 700',
        page: `/Rotate ${turned} ${boxes}`,
        content: '1 0 0 rg -999 -999 3000 3000 re f',
      })
      const built = await workshop.certify([await workshop.addOriginal(bytes, 'PDF')])
      assert.equal((await runJudge('qpdf', '--check', built.path)).code, 0)
      const { data, info } = await drawPage(built.path, 2)
      const [wide, high] = turned % 180 === 0 ? [width, height] : [height, width]
      const says = `${boxes} turned by ${turned}: ${info.width} by ${info.height}`
      assert.ok(info.width === wide && info.height > high && info.height <= high + FOOT, says)
      const reds = (from: number, to: number): Set<boolean> => {
        const found = new Set<boolean>()
        for (let at = 3 * wide * from; at < 3 * wide * to; at += 3)
          found.add(data[at] === 255 && data[at + 1] === 0 && data[at + 2] === 0)
        return found
      }
      assert.deepEqual(reds(0, high), new Set([true]), says)
      assert.deepEqual(reds(high + 1, info.height), new Set([false]), says)
    }
  }
})

async function drawPage(path: string, page: number): Promise<{ data: Buffer; info: OutputInfo }> {
  const { output } = await runJudge(
    'pdftoppm',
    '-cropbox',
    '-r',
    '72',
    '-png',
    '-f',
    String(page),
    '-l',
    String(page),
    path,
  )
  return sharp(output).removeAlpha().raw().toBuffer({ resolveWithObject: true })
}

test('The stamp has a foot of paper on pages of PDFs, and none on pages that have nothing there', async () => {
  const built = await readFile(certified.path)
  const objects = listObjects(built)
  const strips = listPageNumbers(built).map((page) => {
    const contents = Number(/\/Contents (\d+) 0 R/.exec(objects[page - 1]!.toString('latin1'))![1])
    return (objects[contents - 1]!.toString('latin1').match(/ re f\n/g) ?? []).length
  })
  const { pages, prepared } = certified
  assert.deepEqual(strips.slice(pages - prepared.pages), [...Array<number>(prepared.pages - 2).fill(1), 0, 0])
})

test('Links between pages of one file lead to the same pages in both', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  const link = (page: number): string => `<< /Type /Annot /Subtype /Link /Rect [0 0 50 50] /Dest [${page} 0 R /Fit] >>`
  const page = (to: number): string => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Annots [${link(to)}] >>`
  const tree = '<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >>'
  const linked = writeRawPdf(['<< /Type /Catalog /Pages 2 0 R >>', tree, page(4), page(3)])
  const { path, prepared } = await workshop.certify([
    await workshop.addOriginal(makePdf(), 'PDF'),
    await workshop.addOriginal(linked, 'PDF'),
  ])
  const targets = async (file: Buffer): Promise<number[]> => {
    const pages = listPageNumbers(file)
    const links = listObjects(file).flatMap((object) => [
      ...object.toString('latin1').matchAll(/\/Dest \[(\d+) 0 R \/Fit\]/g),
    ])
    return links.map(([, number]) => pages.length - pages.indexOf(Number(number)))
  }
  assert.deepEqual(await targets(await readFile(prepared.path)), [1, 2])
  assert.deepEqual(await targets(await readFile(path)), [1, 2])
  for (const file of [path, prepared.path]) assert.equal((await runJudge('qpdf', '--check', file)).code, 0)
})

test('The manifest names the review document, and one of another submission is not certified', async (t) => {
  const request = workshop.buildRequest(certified.prepared)
  const submission = { number: 1, digest: '00'.repeat(32), documentSha256: 'ab'.repeat(32) }
  await expectRefused({ ...request, fields: { ...request.fields, submission } })
  if (!needJudge(t, 'qpdf')) return
  const { text } = await runJudge('qpdf', '--show-attachment=proofdesk.json', certified.path)
  assert.deepEqual(JSON.parse(text).submission, {
    number: 2,
    digest: '5d'.repeat(32),
    document: { sha256: certified.prepared.sha256 },
  })
})

test('A review document that was changed by one byte or cut is refused', async () => {
  const bytes = await readFile(certified.prepared.path)
  for (const at of [0, 20, 500, Math.floor(bytes.length / 2), bytes.length - 300, bytes.length - 2]) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    await expectRefused(await requestWith(changed), 'source_changed')
  }
  for (const length of [0, 100, bytes.length - 1])
    await expectRefused(await requestWith(bytes.subarray(0, length)), 'source_changed')
  await expectRefused(await requestWith(Buffer.concat([bytes, Buffer.from('\n')])), 'source_changed')
})

test('Another file is refused as a review document, also when its own SHA-256 was recorded', async () => {
  const bytes = await readFile(certified.prepared.path)
  const changed = Buffer.from(bytes)
  changed[20]! ^= 0x20
  const others = [makePdf(), await readFile(certified.path), bytes.subarray(0, -9), changed, Buffer.alloc(0)]
  for (const other of others) {
    const sha256 = createHash('sha256').update(other).digest('hex')
    const request = await requestWith(other)
    const { path } = request.reviewDocument
    await expectRefused({
      ...request,
      fields: { ...request.fields, submission: null },
      reviewDocument: { path, sha256, sizeBytes: other.length },
    })
  }
})

test('A review document whose originals have another number of pages is refused', async () => {
  const request = workshop.buildRequest(certified.prepared)
  await expectRefused({ ...request, originals: request.originals.slice(1) })
  await expectRefused({ ...request, originals: [] })
})

/** To build from these bytes as if they were the review document that was recorded. */
async function requestWith(bytes: Uint8Array): Promise<BuildRequest> {
  const request = workshop.buildRequest(certified.prepared)
  const path = `${request.outPath}.review`
  await writeFile(path, bytes)
  return { ...request, reviewDocument: { ...request.reviewDocument, path } }
}

async function expectRefused(request: BuildRequest, code = 'build_failed'): Promise<void> {
  await assert.rejects(buildRevision0(request), { code })
  assert.ok(!existsSync(request.outPath) && !existsSync(`${request.outPath}.part`))
}
