import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { needJudge, runJudge } from '../testing.ts'
import { joinLines, readFirstPage } from '../testing/read-text.ts'
import { countDifferences, findPicture, renderPicture } from '../testing/reference-pictures.ts'
import { openWorkshop, type Workshop } from '../testing/sample-request.ts'
import {
  buildScriptSample,
  SCRIPT_SAMPLE_NAMES,
  SCRIPT_SAMPLES,
  type ScriptSample,
  type ScriptSampleName,
} from '../testing/script-certificates.ts'
import { countSlices } from '../text/slices.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

/** Everything that people wrote, line by line. */
function listTexts({ fields, files }: ScriptSample): string[] {
  const { title = '', username = '', reviewer = '', organisation = '', description = '' } = fields
  const written = [title, username, reviewer, organisation, ...files.flatMap((file) => [file.title, file.fileName])]
  return [...written, ...description.split('\n')].filter((text) => text !== '')
}

/**
 * pdftotext turns stretches of right-to-left letters and the spaces between them; everything else in such a line, such as
 * digits, dots and Latin words, it leaves where it is seen.
 */
const isPlainForPdfToText = (text: string): boolean =>
  !/[\p{sc=Hebr}\p{sc=Arab}]/u.test(text) || /^(?:(?=[\p{sc=Hebr}\p{sc=Arab}])\p{L}|[\p{M}\s\u200c])+$/u.test(text)

test('A Latin certificate opens no font of another script', async () => {
  await buildScriptSample(workshop, SCRIPT_SAMPLES.latin)
  assert.deepEqual(countSlices(), { open: 0, bytes: 0, reads: 0 })
})

for (const name of SCRIPT_SAMPLE_NAMES.filter((one) => one !== 'hostile')) {
  test(`Readers take out what was typed, in its order: ${name}`, async (t) => {
    if (!needJudge(t, 'pdftotext', 'qpdf')) return
    const { path } = await buildScriptSample(workshop, SCRIPT_SAMPLES[name])
    assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
    const { pdfJs, pdfToText } = await readFirstPage(path)
    for (const text of listTexts(SCRIPT_SAMPLES[name])) {
      assert.ok(pdfJs.includes(joinLines(text)), `PDF.js: ${text}\n${pdfJs}`)
      if (isPlainForPdfToText(text)) assert.ok(pdfToText.includes(joinLines(text)), `pdftotext: ${text}\n${pdfToText}`)
    }
  })
}

test('pdftotext tells a line of both directions in the order seen, with every stretch as it was typed', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const sample = { fields: { title: 'קודם abc אחרי' }, files: [{ title: 'T', fileName: 't.pdf' }] }
  const { path } = await buildScriptSample(workshop, sample)
  const { pdfJs, pdfToText } = await readFirstPage(path)
  assert.ok(pdfJs.includes('קודם abc אחרי'))
  // it decides once for a page which direction lines have, and the certificate's own words are English
  for (const word of ['קודם', 'abc', 'אחרי']) assert.ok(pdfToText.includes(word), word)
  assert.ok(pdfToText.indexOf('אחרי') < pdfToText.indexOf('קודם'))
})

test('A certificate in five scripts and emoji has at most 63 kB, a Latin one 47 kB', async () => {
  const built = await buildScriptSample(workshop, SCRIPT_SAMPLES.mixed)
  const plain = await buildScriptSample(workshop, SCRIPT_SAMPLES.latin)
  assert.ok(built.sizeBytes <= 63_000, `${built.sizeBytes} bytes`)
  assert.ok(plain.sizeBytes <= 47_000, `${plain.sizeBytes} bytes`)
})

test('Reference pictures: each certificate is drawn as it was when people looked at it', async () => {
  for (const name of SCRIPT_SAMPLE_NAMES) {
    assert.ok((await stat(findPicture(name))).size < 60_000)
    const { path } = await buildScriptSample(workshop, SCRIPT_SAMPLES[name])
    const different = await countDifferences(await renderPicture(path), name)
    assert.ok(different <= MAX_DIFFERENT, `${name}: ${different} pixels`)
  }
})

/** Of a million. The smallest of the faults below, one letter, has more than twice as many. */
const MAX_DIFFERENT = 4

test('A missing word, a wrong letter, unjoined letters or another direction are not taken for the same picture', async () => {
  const faults: [ScriptSampleName, (text: string) => string][] = [
    ['latin', (text) => text.replace('façade', '')],
    ['latin', (text) => text.replace('søren', 'sóren')],
    ['hebrew', (text) => text.replace('סופי', 'סיפו')],
    ['persian', (text) => text.replace('بهرام', 'ب\u200cهرام')],
    ['persian', (text) => text.replace('می‌توان', 'میتوان')],
    ['eastern', (text) => text.replace('김민준', '김민중')],
    ['eastern', (text) => text.replace('太郎', '太朗')],
    ['indic', (text) => text.replace('क्षत्रिय', 'क्\u200cषत्रिय')],
    ['indic', (text) => text.replace('น้ำ', 'นำ')],
    ['mixed', (text) => text.replace('🧾', '🧿')],
    ['hostile', (text) => text.replace('\u202efdp', '\u2067fdp')],
  ]
  for (const [name, spoil] of faults) {
    const sample: ScriptSample = SCRIPT_SAMPLES[name]
    const fields = Object.fromEntries(
      Object.entries(sample.fields).map(([key, value]) => [key, typeof value === 'string' ? spoil(value) : value]),
    )
    const { path } = await buildScriptSample(workshop, { ...sample, fields })
    const different = await countDifferences(await renderPicture(path), name)
    assert.ok(different > 2 * MAX_DIFFERENT, `${name}, ${spoil.toString()}: ${different} pixels`)
  }
})

test('Hostile texts never fail a certificate, and what has no glyph keeps its text for copying', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const { path, sizeBytes } = await buildScriptSample(workshop, SCRIPT_SAMPLES.hostile)
  assert.ok(sizeBytes < 60_000)
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  const { pdfJs, pdfToText } = await readFirstPage(path)
  for (const text of [pdfJs, pdfToText]) assert.ok(text.includes('চুক্তি') && text.includes('\ue000'), text)
})

test('A long description flows on to further certificate pages, and none of it is lost', async (t) => {
  if (!needJudge(t, 'pdftotext', 'qpdf')) return
  const words = Array.from({ length: 1800 }, (_, i) => `word${i}`)
  const sample = { fields: { description: words.join(' ') }, files: [{ title: 'T', fileName: 'file-name.pdf' }] }
  const { path, pages } = await buildScriptSample(workshop, sample)
  assert.ok(pages >= 4)
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  const { text } = await runJudge('pdftotext', path, '-')
  assert.deepEqual(text.match(/word\d+/g), words)
  const sheets = text.split('\f')
  assert.ok(sheets[1]!.includes('Reviewer’s description, continued'))
  assert.ok(sheets[pages - 2]!.includes('file-name.pdf') && sheets[pages - 2]!.includes(`p. ${pages}`))
})

/** Of each content stream: how far from the foot of the page its level lines are. */
function listRules(streams: string): number[][] {
  return streams
    .split('endstream')
    .map((stream) => [...stream.matchAll(/ ([\d.]+) m [\d.]+ \1 l S/g)].map(([, height]) => Number(height)))
    .map((heights) => [...new Set(heights)])
}

test('A further certificate page has one line under its head, also where the description goes on or begins there', async (t) => {
  if (!needJudge(t, 'qpdf')) return
  const files = [{ title: 'T', fileName: 't.pdf' }]
  const begun = { description: 'Checked against the original. '.repeat(140) }
  // So much stands above it that the description begins on the second page.
  const moved = {
    title: '字 '.repeat(100),
    username: 'W'.repeat(150),
    description: 'Checked against the original. '.repeat(80),
  }
  for (const fields of [begun, moved]) {
    const { path, pages } = await buildScriptSample(workshop, { fields, files })
    assert.ok(pages >= 3)
    const { text } = await runJudge('qpdf', '--qdf', '--object-streams=disable', path, '-')
    const rules = listRules(text)
    assert.ok(rules.some((heights) => heights.length > 0))
    for (const heights of rules)
      for (const [i, height] of heights.entries())
        assert.ok(Math.abs((heights[i + 1] ?? 0) - height) > 10, `two lines at ${height}`)
  }
})

test('A description of line breaks alone ends after some pages and says where the rest is', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const sample = { fields: { description: 'a\n'.repeat(9000) }, files: [{ title: 'T', fileName: 't.pdf' }] }
  const { path, pages } = await buildScriptSample(workshop, sample)
  assert.ok(pages < 15, `${pages} pages`)
  const { text } = await runJudge('pdftotext', path, '-')
  assert.ok(text.includes('The rest stands in proofdesk.json'))
})

test('The longest title, username and file name are printed whole', async (t) => {
  if (!needJudge(t, 'pdftotext')) return
  const title = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x4e00 + i * 7)).join('')
  const username = 'W'.repeat(149) + 'e'
  const fileName = `${Array.from({ length: 62 }, (_, i) => String(100 + i)).join('_')}.pdf`
  const { path } = await buildScriptSample(workshop, { fields: { title, username }, files: [{ title: 'T', fileName }] })
  const { text } = await runJudge('pdftotext', path, '-')
  const whole = text.replaceAll(/\s/g, '')
  for (const part of [title, username, fileName]) assert.ok(whole.includes(part), part)
})
