import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { needJudge, runJudge } from './testing.ts'
import { AMBIGUOUS_AREAS } from './testing/ambiguous-areas.ts'
import { AMBIGUOUS_BILEVEL } from './testing/ambiguous-bilevel.ts'
import { AMBIGUOUS_CODE_MAPS } from './testing/ambiguous-code-maps.ts'
import { AMBIGUOUS_COLOURS } from './testing/ambiguous-colours.ts'
import { AMBIGUOUS_CONTENT } from './testing/ambiguous-content.ts'
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
import { AMBIGUOUS_PROGRAMS } from './testing/ambiguous-programs.ts'
import { AMBIGUOUS_STRUCTURE } from './testing/ambiguous-structure.ts'
import { AMBIGUOUS_WIDTHS } from './testing/ambiguous-widths.ts'
import { readDrawnWords } from './testing/drawn-words.ts'
import { type AreaPicture, drawAsOthers, drawAsReviewer } from './testing/four-readers.ts'
import { openWorkshop, type Workshop } from './testing/sample-request.ts'

let workshop: Workshop

before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

for (const file of [
  ...AMBIGUOUS_AREAS,
  ...AMBIGUOUS_LINES,
  ...AMBIGUOUS_PAINT,
  ...AMBIGUOUS_OPACITY,
  ...AMBIGUOUS_GRADIENTS,
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
  ...AMBIGUOUS_INLINE_IMAGES,
  ...AMBIGUOUS_DATA,
  ...AMBIGUOUS_ENTRIES,
  ...AMBIGUOUS_CONTENT,
  ...AMBIGUOUS_STRUCTURE,
]) {
  test(file.title, async (t) => {
    const inspection = await workshop.inspect(file.bytes)
    if (file.outcome === 'refused') assert.deepEqual(inspection, { ok: false, reason: 'unreadable' })
    else {
      assert.deepEqual(inspection, { ok: true, type: 'PDF', pages: 1 })
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
  for (const picture of await drawAsOthers(bytes, path)) expectSamePicture(picture, reviewed)
  if (isChanged === true) return
  assert.deepEqual(await readDrawnWords(original), [words])
  expectSamePicture(await drawAsReviewer(original), reviewed)
}

const sortWords = (text: string): string[] => text.split(/\s+/).filter(Boolean).sort()

/** Of 255: other renderers set letters and edges otherwise, and know other blacks. */
const MAX_DIFFERENCE = 100
/** Of 1200: where the stems of letters stand. */
const MAX_DIFFERENT = 9
/** Of all ink on the page; a missing word is more, another font is less. */
const MAX_INK_SHARE = 0.35

function expectSamePicture(picture: AreaPicture, reviewed: AreaPicture): void {
  const { reader } = picture
  assert.ok(
    Math.abs(picture.width / picture.height - reviewed.width / reviewed.height) < 0.02,
    `${reader}: another page`,
  )
  const different = picture.areas.filter((value, i) => Math.abs(value - reviewed.areas[i]!) > MAX_DIFFERENCE).length
  assert.ok(different <= MAX_DIFFERENT, `${reader}: ${different} areas differ`)
  const [ink, most] = [countInk(picture), countInk(reviewed)].toSorted((a, b) => a - b) as [number, number]
  assert.ok(most - ink <= most * MAX_INK_SHARE, `${reader}: ${countInk(picture)} ink instead of ${countInk(reviewed)}`)
}

const countInk = ({ areas }: AreaPicture): number => areas.reduce((sum, value) => sum + 255 - value, 0)
