import {
  makeFormWithoutAppearance,
  makeJpeg,
  makePdf,
  makeProtectedPdf,
  makeUnlikePdf,
  needJudge,
} from '@proofdesk/certify/testing'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { comparePictures, type Picture, readPortablePixmap, showsAnything } from './robustness/compare-pictures.ts'
import { countTotals } from './robustness/count-goals.ts'
import { compareWords, splitWords } from './robustness/compare-words.ts'
import type { Examination } from './robustness/examine-file.ts'
import { joinResults } from './robustness/join-results.ts'
import { judgeWords, NO_WORDS, type WordVerdicts } from './robustness/judge-words.ts'
import { formatReport } from './robustness/format-report.ts'
import { writeRawPdf } from '@proofdesk/certify/testing/raw-pdf'

const root = dirname(import.meta.dirname)

/** White, A4 at 40 dpi, with a black box. */
function drawPicture(box: { left: number; top: number; width: number; height: number }, height = 468): Picture {
  const width = 331
  const pixels = new Uint8Array(width * height * 3).fill(255)
  for (let y = box.top; y < box.top + box.height; y++) {
    pixels.fill(0, 3 * (y * width + box.left), 3 * (y * width + box.left + box.width))
  }
  return { width, height, pixels }
}

test('Pictures are the same above the foot with the stamp, and a page that lost everything is called blank', () => {
  const page = drawPicture({ left: 20, top: 20, width: 200, height: 100 })
  const empty = drawPicture({ left: 0, top: 0, width: 0, height: 0 })
  assert.deepEqual(comparePictures(page, page, 40), { differing: 0, isBlanked: false })
  const blanked = comparePictures(page, empty, 40)
  assert.ok(blanked.isBlanked && blanked.differing > 0.1)
  assert.ok(!comparePictures(empty, page, 40).isBlanked)
  const stamped = drawPicture({ left: 20, top: 469, width: 290, height: 6 }, 477)
  assert.equal(comparePictures(empty, stamped, 40).differing, 0)
  const covered = drawPicture({ left: 20, top: 459, width: 290, height: 6 }, 477)
  assert.ok(comparePictures(empty, covered, 40).differing > 0.005)
  const dot = drawPicture({ left: 20, top: 20, width: 2, height: 2 })
  const lost = comparePictures(dot, empty, 40)
  assert.ok(lost.differing < 0.005 && lost.isBlanked, 'a page of one dot')
  assert.deepEqual([page, dot, empty].map(showsAnything), [true, true, false])
  for (const other of [{ width: 200 }, { height: 200 }, { height: 490 }])
    assert.equal(comparePictures(page, { ...page, ...other }, 40).differing, 1)
})

test('The foot of a page whose unit is less than a point is so much higher to readers that do not know it, and no higher', () => {
  const page = drawPicture({ left: 20, top: 20, width: 200, height: 100 })
  const copy = (foot: number): Picture => drawPicture({ left: 20, top: 20, width: 200, height: 100 }, 468 + foot)
  assert.equal(comparePictures(page, copy(12), 40).differing, 1)
  assert.equal(comparePictures(page, copy(12), 40, 0.75).differing, 0)
  assert.equal(comparePictures(page, copy(14), 40, 0.75).differing, 1)
})

test('A picture that is no portable pixmap, or is cut off, is none', () => {
  const head = Buffer.from('P6\n2 1\n255\n', 'latin1')
  assert.deepEqual(readPortablePixmap(Buffer.concat([head, Buffer.alloc(6, 7)]))?.pixels.length, 6)
  assert.equal(readPortablePixmap(Buffer.concat([head, Buffer.alloc(5)])), undefined)
  assert.equal(readPortablePixmap(Buffer.from('P5\n2 1\n255\n123456')), undefined)
})

const examination: Examination = {
  collection: 'made',
  file: 'a.pdf',
  poppler: { isReadable: true, isEncrypted: false, pages: 2, longestSide: 842, complaint: '' },
  inspection: { ok: true, type: 'PDF', pages: 2, isPictured: false },
  inspectMs: 10,
  buildMs: 20,
  peakBytes: 100e6,
  buildFault: undefined,
  qpdf: { original: undefined, copy: 0, words: '' },
  pages: {
    compared: 2,
    different: [],
    doubted: [],
    blanked: [],
    originalNotDrawn: [],
    copyNotDrawn: [],
  },
  words: { ...NO_WORDS, compared: 2 },
}

test('Each deviation misses its goal and is listed with the file', () => {
  const faults: [Partial<Examination>, RegExp][] = [
    [{ inspection: { ok: true, type: 'PDF', pages: 1, isPictured: false } }, /1 pages, poppler finds 2/],
    [{ pages: { ...examination.pages, blanked: [2] } }, /blank now: page 2/],
    [
      { pages: { ...examination.pages, different: [{ page: 1, share: 0.01, byPdfium: 0.02, byReviewer: 0 }] } },
      /to pdf\.js 1\).*looks different \(up to 1\.0 % to poppler, up to 2\.0 % to PDFium, up to 0\.0 % to pdf\.js\): page 1/s,
    ],
    [
      { pages: { ...examination.pages, different: [{ page: 1, share: 0.01, byPdfium: 0.02 }] } },
      /to pdf\.js 0\).*looks different \(up to 1\.0 % to poppler, up to 2\.0 % to PDFium\): page 1/s,
    ],
    [{ pages: { ...examination.pages, copyNotDrawn: [1] } }, /cannot be drawn from the copy: page 1/],
    [{ words: { ...NO_WORDS, lost: [{ page: 2, words: ['one', 'two'] }] } }, /loses 2 words: page 2/],
    [{ words: { ...NO_WORDS, added: [{ page: 1, words: ['one'] }] } }, /gains 1 word: page 1/],
    [{ words: { ...NO_WORDS, lostValues: ['name'] } }, /loses 1 form values/],
    [{ buildFault: 'build_failed' }, /certification says `build_failed`/],
    [{ inspectMs: 16_000 }, /takes 16\.0 s/],
    [{ peakBytes: 2 ** 31 }, /takes 2147 MB/],
    [{ qpdf: { original: 0, copy: 2, words: 'ERROR: bad' } }, /qpdf: ERROR: bad/],
  ]
  for (const [fault, words] of faults) {
    const report = formatReport([{ ...examination, ...fault }])
    assert.match(report, words)
    assert.match(report, /\*\*no\*\*/)
  }
  const doubted = { ...examination.pages, doubted: [{ page: 1, share: 0.01, byPdfium: 0 }] }
  assert.match(
    formatReport([{ ...examination, pages: doubted }]),
    /100\.00 % \(1 of 1; to poppler alone 0, to pdf\.js 1\) \| yes/,
  )
  const faultless = formatReport([examination])
  assert.doesNotMatch(faultless, /\*\*no\*\*/)
  assert.match(faultless, /## Accepted files that deviate\n\nNone\./)
})

test('A report written anew keeps what people wrote about the run, and nothing else of the earlier one', () => {
  const notes = '## About this run\n\nBy hand.\n\n## Rules\n\n- One.\n'
  const earlier = formatReport([{ ...examination, collection: 'earlier' }])
  assert.equal(formatReport([examination], `${earlier}\n${notes}`), `${formatReport([examination])}\n${notes}`)
  assert.equal(formatReport([examination], earlier), formatReport([examination]))
})

test('Runs are joined into one: a file that was examined again has its later result, where its first one stood', () => {
  const other = { ...examination, file: 'b.pdf' }
  const again = { ...examination, inspectMs: 99 }
  const namesake = { ...examination, collection: 'more' }
  assert.deepEqual(
    joinResults([
      [examination, other],
      [again, namesake],
    ]),
    [again, other, namesake],
  )
})

test('Encrypted and unreadable files do not count as readable; a goal missed by one in a thousand is missed', () => {
  const locked = {
    ...examination,
    poppler: { ...examination.poppler, isEncrypted: true },
    inspection: { ok: false, reason: 'password_protected' } as const,
  }
  const unread = { ...examination, poppler: { ...examination.poppler, isReadable: false, pages: 0 } }
  const totals = countTotals('all', [examination, locked, unread])
  assert.deepEqual([totals.readable, totals.readableAccepted, totals.encrypted, totals.encryptedAccepted], [1, 1, 1, 0])
  const refused = { ...examination, inspection: { ok: false, reason: 'unreadable' } as const }
  const many = [...Array.from({ length: 992 }, () => examination), ...Array.from({ length: 8 }, () => refused)]
  assert.match(
    formatReport(many),
    /readable unencrypted files that are accepted \| ≥ 99\.3 % \| 99\.20 % \(992 of 1000\) \| \*\*no\*\*/,
  )
})

test('Words are compared in any order, and ligatures, soft hyphens and other divisions are the same words', () => {
  assert.deepEqual(splitWords('\ufb01ne  print\u00ad\ning\f'), ['fine', 'print', 'ing'])
  assert.deepEqual(compareWords(['a', 'b', 'b'], ['b', 'a', 'b']), { lost: [], added: [] })
  assert.deepEqual(compareWords(['a', 'b', 'b'], ['b', 'c', 'a']), { lost: ['b'], added: ['c'] })
  assert.deepEqual(compareWords(['foot', 'note'], ['footnote']), { lost: [], added: [] })
})

/** Judges a copy by the words of both, without stamps. */
async function judgeCopy(t: TestContext, original: Buffer, copy: Buffer, isPictured = false): Promise<WordVerdicts> {
  const folder = mkdtempSync(join(tmpdir(), 'robustness-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [first, second] = [join(folder, 'original.pdf'), join(folder, 'copy.pdf')]
  writeFileSync(first, original)
  writeFileSync(second, copy)
  return judgeWords({ original: first, review: second, certified: second, offset: 0, stampWords: () => [], isPictured })
}

test('A word that a copy lost or gained is found on its page', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const original = makePdf({ pages: 2, text: 'Paid on delivery' })
  assert.deepEqual(await judgeCopy(t, original, original), { ...NO_WORDS, compared: 2 })
  const swapped = Buffer.from(original.toString('latin1').replace('Paid on delivery 2', 'Sent on delivery 2'), 'latin1')
  assert.deepEqual(await judgeCopy(t, original, swapped), {
    ...NO_WORDS,
    compared: 2,
    lost: [{ page: 2, words: ['Paid'] }],
    added: [{ page: 2, words: ['Sent'] }],
  })
})

test('A word that nobody sees is not lost where pages became pictures; one that is seen, and any word of a copy, is', async (t) => {
  if (!needJudge(t, 'pdftotext', 'pdftoppm', 'qpdf')) return
  const write = (colour: string, words: string): Buffer => {
    const content = `BT /F1 14 Tf 20 150 Td (Paid on delivery) Tj 0 -40 Td ${colour} (${words}) Tj ET 0.9 g 20 60 100 20 re f`
    return writeRawPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [5 0 R] /MediaBox [0 0 200 200] /Resources << /Font << /F1 4 0 R >> >> >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>',
    ])
  }
  const without = write('0 g', '')
  const lost = { ...NO_WORDS, compared: 1, lost: [{ page: 1, words: ['in', 'cash'] }] }
  assert.deepEqual(await judgeCopy(t, write('1 g', 'in cash'), without, true), { ...NO_WORDS, compared: 1 })
  assert.deepEqual(await judgeCopy(t, write('1 g', 'in cash'), without), lost)
  for (const colour of ['0 g', '.9 g'])
    assert.deepEqual(await judgeCopy(t, write(colour, 'in cash'), without, true), lost)
})

test('A form value that the reader in the page shows and the copy does not is lost; what no screen shows is not', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const form = makeFormWithoutAppearance()
  const change = (from: string, to: string): Buffer => Buffer.from(form.toString('latin1').replace(from, to), 'latin1')
  const empty = change('(Ada Lovelace)', '()            ')
  const lost = await judgeCopy(t, form, empty)
  assert.deepEqual(lost.lostValues, ['name'])
  assert.deepEqual(lost.lost, [{ page: 1, words: ['Ada', 'Lovelace'] }])
  const hidden = await judgeCopy(t, change('/F 4 ', '/F 2 '), empty)
  assert.deepEqual(hidden, { ...NO_WORDS, compared: 1 })
  // poppler makes up a picture of its own
  const undrawn = await judgeCopy(t, change('/NeedAppearances true', '                     '), empty)
  assert.deepEqual(undrawn, {
    ...NO_WORDS,
    compared: 1,
    doubted: [{ page: 1, words: ['Ada', 'Lovelace'] }],
    unshownValues: ['name'],
  })
})

test('The script examines every PDF of a folder, tells what is refused and why, and leaves nothing behind', async (t) => {
  if (!needJudge(t, 'qpdf', 'pdfinfo', 'pdftoppm', 'pdftotext')) return
  const folder = mkdtempSync(join(tmpdir(), 'robustness-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'files', 'below'), { recursive: true })
  writeFileSync(join(folder, 'files', 'plain.pdf'), makePdf({ pages: 3 }))
  writeFileSync(join(folder, 'files', 'form.pdf'), makeFormWithoutAppearance())
  writeFileSync(join(folder, 'files', 'unlike.pdf'), makeUnlikePdf())
  writeFileSync(join(folder, 'files', 'below', 'LOCKED.PDF'), await makeProtectedPdf({ user: 'secret' }))
  writeFileSync(join(folder, 'files', 'below', 'photo.jpg'), await makeJpeg())
  const [report, results] = [join(folder, 'report.md'), join(folder, 'results.json')]
  writeFileSync(report, '# Earlier\n\n## About this run\n\nBy hand.\n')
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const args = ['scripts/pdf-robustness.ts', '--report', report, '--json', results, `made=${join(folder, 'files')}`]
  await promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, TMPDIR: temporary } })
  const text = readFileSync(report, 'utf8')
  assert.match(text, /\| made \| 4 \| 3 \| 3 \(100\.00 %\) \| 0 of 1 \| 3 \| 1 \| 3 \(100\.00 %\) \| 0 \| 5 \|/)
  assert.match(text, /## Refused at upload, by reason\n\n\| Collection \| `password_protected` \|/)
  assert.ok(
    !text.includes('LOCKED') && !text.includes('# Earlier') && text.endsWith('\n## About this run\n\nBy hand.\n'),
  )
  const examined = JSON.parse(readFileSync(results, 'utf8')) as Examination[]
  const refused = examined.filter(({ inspection }) => !inspection.ok)
  assert.deepEqual(
    refused.map(({ file, inspection }) => [file, inspection]),
    [['below/LOCKED.PDF', { ok: false, reason: 'password_protected' }]],
  )
  assert.ok(!text.includes(folder), 'no path of this machine')
  const [joined, rerun] = [join(folder, 'joined.md'), ['scripts/pdf-robustness.ts', '--from', results, '--report']]
  await promisify(execFile)(process.execPath, [...rerun, joined], { cwd: root })
  assert.equal(
    readFileSync(joined, 'utf8'),
    text.split('\n## About this run')[0],
    'the report of earlier results alone',
  )
  await assert.rejects(
    promisify(execFile)(process.execPath, [...rerun, joined, '--from', 'package.json'], { cwd: root }),
  )
  assert.deepEqual(readdirSync(temporary), [])
})
