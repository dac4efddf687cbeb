import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { needJudge, runJudge } from './testing.ts'
import { AMBIGUOUS_AREAS } from './testing/ambiguous-areas.ts'
import { AMBIGUOUS_BILEVEL } from './testing/ambiguous-bilevel.ts'
import { AMBIGUOUS_CODE_MAPS } from './testing/ambiguous-code-maps.ts'
import { AMBIGUOUS_CODES } from './testing/ambiguous-codes.ts'
import { AMBIGUOUS_COLOURS } from './testing/ambiguous-colours.ts'
import { AMBIGUOUS_CONTENT } from './testing/ambiguous-content.ts'
import { DAMAGED, MISPLACED } from './testing/ambiguous-damaged.ts'
import type { AmbiguousFile } from './testing/ambiguous-file.ts'
import { AMBIGUOUS_DATA } from './testing/ambiguous-data.ts'
import { AMBIGUOUS_DRAWN_LETTERS } from './testing/ambiguous-drawn-letters.ts'
import { AMBIGUOUS_ENTRIES } from './testing/ambiguous-entries.ts'
import { AMBIGUOUS_FONTS } from './testing/ambiguous-fonts.ts'
import { AMBIGUOUS_GRADIENTS } from './testing/ambiguous-gradients.ts'
import { AMBIGUOUS_IMAGES } from './testing/ambiguous-images.ts'
import { AMBIGUOUS_INLINE_IMAGES } from './testing/ambiguous-inline-images.ts'
import { AMBIGUOUS_JPEGS } from './testing/ambiguous-jpegs.ts'
import { AMBIGUOUS_LETTERS } from './testing/ambiguous-letters.ts'
import { AMBIGUOUS_LINES } from './testing/ambiguous-lines.ts'
import { AMBIGUOUS_MASKS } from './testing/ambiguous-masks.ts'
import { AMBIGUOUS_OPACITY } from './testing/ambiguous-opacity.ts'
import { AMBIGUOUS_PACKED } from './testing/ambiguous-packed.ts'
import { AMBIGUOUS_PAINT } from './testing/ambiguous-paint.ts'
import { AMBIGUOUS_PATTERNS } from './testing/ambiguous-patterns.ts'
import { AMBIGUOUS_PROGRAMS } from './testing/ambiguous-programs.ts'
import { AMBIGUOUS_STRUCTURE } from './testing/ambiguous-structure.ts'
import { AMBIGUOUS_TEXTS } from './testing/ambiguous-texts.ts'
import { AMBIGUOUS_WIDTHS } from './testing/ambiguous-widths.ts'
import { readDrawnWords } from './testing/drawn-words.ts'
import { drawAsChrome, drawAsOthers, drawAsReviewer } from './testing/four-readers.ts'
import { findShownWords } from './pictures/find-shown-words.ts'
import { openPdfium } from './pictures/open-pdfium.ts'
import { openWorkshop, type Workshop } from './testing/sample-request.ts'
import { tellApart } from './testing/tell-apart.ts'
import { drawPdfPage } from './thumbnail/draw-pdf-page.ts'

/** As finely as pictures are kept. */
const PIXELS = 556
const ONE_IN = 8
const WHITE = 0xff

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

for (const [index, file] of [
  ...AMBIGUOUS_AREAS,
  ...AMBIGUOUS_LINES,
  ...AMBIGUOUS_PAINT,
  ...AMBIGUOUS_OPACITY,
  ...AMBIGUOUS_GRADIENTS,
  ...AMBIGUOUS_PATTERNS,
  ...AMBIGUOUS_TEXTS,
  ...AMBIGUOUS_COLOURS,
  ...AMBIGUOUS_FONTS,
  ...AMBIGUOUS_PROGRAMS,
  ...AMBIGUOUS_CODE_MAPS,
  ...AMBIGUOUS_LETTERS,
  ...AMBIGUOUS_DRAWN_LETTERS,
  ...AMBIGUOUS_WIDTHS,
  ...AMBIGUOUS_IMAGES,
  ...AMBIGUOUS_MASKS,
  ...AMBIGUOUS_JPEGS,
  ...AMBIGUOUS_PACKED,
  ...AMBIGUOUS_BILEVEL,
  ...AMBIGUOUS_CODES,
  ...AMBIGUOUS_INLINE_IMAGES,
  ...AMBIGUOUS_DATA,
  ...AMBIGUOUS_ENTRIES,
  ...AMBIGUOUS_CONTENT,
  ...AMBIGUOUS_STRUCTURE,
].entries()) {
  test(file.title, async (t) => {
    const inspection = await workshop.inspect(file.bytes)
    if (DAMAGED.has(file.title)) assert.deepEqual(inspection, { ok: false, reason: 'unreadable' })
    else if (MISPLACED.has(file.title)) assert.deepEqual(inspection, { ok: false, reason: 'ambiguous' })
    else if (file.outcome === 'unlike') {
      const isBlank = (await drawPdfPage(file.bytes, PIXELS)).rgba.every((value) => value === WHITE)
      const pictured = { ok: true, type: 'PDF', pages: 1, isPictured: true }
      assert.deepEqual(inspection, isBlank ? { ok: false, reason: 'ambiguous' } : pictured)
      // all pictures are made alike, so some of them are shown to everybody
      const isShown = !isBlank && index % ONE_IN === 0
      if (isShown && needJudge(t, 'pdftoppm', 'pdftotext', 'qpdf')) await expectOnePicture(file)
    } else {
      assert.deepEqual(inspection, { ok: true, type: 'PDF', pages: 1, isPictured: false })
      if (needJudge(t, 'pdftoppm', 'pdftotext', 'qpdf')) await expectOneLook(file, file.outcome?.words ?? '')
    }
  })
}

/** Of the review document all readers show the same words and the same picture, and the reviewer’s shows that of the original too. */
async function expectOneLook({ bytes: original, isChanged }: AmbiguousFile, words: string): Promise<void> {
  const { path } = await workshop.prepare([await workshop.addOriginal(original, 'PDF')])
  const bytes = await readFile(path)
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  assert.deepEqual(await readDrawnWords(bytes), [words])
  const { output } = await runJudge('pdftotext', path, '-')
  assert.deepEqual(sortWords(output.toString('utf8')), sortWords(words))
  const reviewed = await drawAsReviewer(bytes)
  for (const picture of await drawAsOthers(bytes, path)) assert.equal(tellApart(picture, reviewed), undefined)
  if (isChanged === true) return
  assert.deepEqual(await readDrawnWords(original), [words])
  assert.equal(tellApart(await drawAsReviewer(original), reviewed), undefined)
}

/** Of the review document all readers show what Chrome shows of the original, and find the words that it reads there. */
async function expectOnePicture({ bytes: original, isFine }: AmbiguousFile): Promise<void> {
  const added = await workshop.addOriginal(original, 'PDF', { isPictured: true })
  const { path, originals } = await workshop.prepare([added])
  assert.deepEqual(originals, [{ pages: 1, isPictured: true, removed: [], wasSigned: false, signatures: [] }])
  const bytes = await readFile(path)
  assert.equal((await runJudge('qpdf', '--check', path)).code, 0)
  const { output } = await runJudge('pdftotext', path, '-')
  const drawn = await openPdfium(original)
  const seen = drawn.drawPage(0, ({ width, height }) => ({ width: 3 * width, height: 3 * height }))
  const words = findShownWords(drawn, 0, seen).map(({ text }) => text)
  assert.deepEqual(sortWords(output.toString('utf8')), words.toSorted())
  // parts as fine as its pixels come out otherwise wherever they are drawn smaller
  if (isFine === true) return
  const reviewed = await drawAsReviewer(bytes)
  for (const picture of await drawAsOthers(bytes, path)) assert.equal(tellApart(picture, reviewed), undefined)
  assert.equal(tellApart(await drawAsChrome(original), reviewed), undefined)
}

const sortWords = (text: string): string[] => text.split(/\s+/).filter(Boolean).sort()
