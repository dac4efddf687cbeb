import {
  countTotals,
  hasNewErrors,
  HANG_MS,
  isAccepted,
  isHang,
  isPageCountChanged,
  MOST_BYTES,
  type Totals,
} from './count-goals.ts'
import type { Examination } from './examine-file.ts'
import type { PageWords } from './judge-words.ts'

const GOAL_SAME = 99.7
const GOAL_ACCEPTED = 99.3

const INTRODUCTION = `# Odd PDFs: what becomes of them

Written by \`node scripts/pdf-robustness.ts\`, which takes folders of PDFs through the upload check and certification as the
product does, in its own parsing processes, and compares every page of what comes out with the original, as a picture and by
its words. The files are not part of the project. Run it on any folder:

\`\`\`
node scripts/pdf-robustness.ts [--jobs 2] [--report REPORT.md] [--json RESULTS.json] [--from RESULTS.json]... [NAME=]FOLDER...
\`\`\`

What \`RESULTS.json\` holds of each file names those that were refused, too; \`--from\` takes it in again, so that a run can be made in parts.

- *Readable*: poppler opens the file without a password, finds pages, and says that it is not encrypted.
- *Same*: the number of pages is poppler's, no word is lost or added, and on every page fewer than 0.5 % of the pixels differ (40 dpi; at least 468 and
  at most 1600 pixels on the longest side; a pixel differs when a channel is off by more than 16 of 255). The foot
  that a copy has for its stamp is left out. Poppler is the judge, for original and copy alike.
- Where poppler sees a difference, PDFium, the reader inside Chrome, is asked as well: poppler makes up icons and draws frames elsewhere,
  for annotations without a picture. What PDFium draws alike, at twice the resolution where need be, is the same; how many files are the same to
  poppler alone is told beside it. Where PDFium sees a difference too, pdf.js is asked, the reader in the page: it decides what a
  copy shows (record 23). That changes no count; how many files are the same to it is told beside it.
- *Kept as pictures*: files that readers show in different ways are pictures of what PDFium shows ([record 48](decisions/0048-kept-as-pictures.md)).
  It alone is asked whether they are the same, at 200 dpi that are then made four times smaller.
- *Blanked*: a page that showed something to both, and on which pdf.js draws something, shows nothing any more, whatever the
  share of pixels.
- *Lost*, *added*: words of a page, in any order, as poppler reads them in the original, in the review document and in the
  certified PDF (without the stamp). Letters that are divided otherwise are the same. What differs is looked up in the drawing
  of pdf.js, the reader in the page, which shows no more than a screen does; where it sees the word in neither file, in PDFium's
  text. What these do not see, and words that are part of a field's value, are told below and change no count. Of what is kept as pictures PDFium is asked
  before pdf.js, and a word that nobody sees is no word: where poppler, PDFium and pdf.js all draw one colour (150 dpi).
- *Lost form value*: what qpdf says was entered into a text or choice field that a screen is to show, that pdf.js draws on the
  original's page, and that is not among the words of the copy's page.
- *Hang*: the upload check or certification takes more than 15 s. *Memory*: the kernel's high-water mark of the process.
`

/** What people write about the run begins with this heading; all above it is written by the program. */
const NOTES = '## About this run'

/**
 * The document in Markdown. Says nothing of the machine: neither paths nor dates.
 * @param earlier The document as it was: what stands in it from `## About this run` on is kept.
 */
export function formatReport(examinations: readonly Examination[], earlier = ''): string {
  const names = [...new Set(examinations.map(({ collection }) => collection))]
  const parts = names.map((name) =>
    countTotals(
      name,
      examinations.filter(({ collection }) => collection === name),
    ),
  )
  const all = countTotals('all', examinations)
  return [
    INTRODUCTION,
    formatGoals(all),
    formatTotals([...parts, all]),
    formatRefusals([...parts, all]),
    formatDeviations(examinations),
    formatRemarks(examinations),
    keepNotes(earlier),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function keepNotes(earlier: string): string {
  const start = earlier.indexOf(`\n${NOTES}\n`)
  return start < 0 ? '' : earlier.slice(start + 1)
}

function formatGoals(all: Totals): string {
  const comparable = all.accepted - all.notComparable
  const rows: [string, string, string, boolean][] = [
    [
      'accepted files whose every page looks and reads the same',
      `≥ ${GOAL_SAME} %`,
      `${percent(all.same, comparable)} (${all.same} of ${comparable}; to poppler alone ${all.sameToPoppler}, to pdf.js ${all.sameToReviewer})`,
      share(all.same, comparable) >= GOAL_SAME,
    ],
    [
      'readable unencrypted files that are accepted',
      `≥ ${GOAL_ACCEPTED} %`,
      `${percent(all.readableAccepted, all.readable)} (${all.readableAccepted} of ${all.readable})`,
      share(all.readableAccepted, all.readable) >= GOAL_ACCEPTED,
    ],
    ['accepted files that certification then refuses', '0', String(all.buildFaults), all.buildFaults === 0],
    ['page counts that change', '0', String(all.pageCountChanged), all.pageCountChanged === 0],
    ['files with a blanked page', '0', String(all.blanked), all.blanked === 0],
    ['form values that are lost', '0', String(all.lostValues), all.lostValues === 0],
    [`jobs over ${HANG_MS / 1000} s`, '0', `${all.hangs} (slowest ${seconds(all.slowestMs)})`, all.hangs === 0],
    [
      'processes over 1 GB',
      '0',
      `${all.overMemory} (largest ${megabytes(all.peakBytes)})`,
      all.peakBytes <= MOST_BYTES,
    ],
    ['copies with errors that the original has not (`qpdf --check`)', '0', String(all.newErrors), all.newErrors === 0],
  ]
  return [
    '## Goals\n',
    formatTable(
      ['Goal', 'Wanted', 'Measured', 'Met'],
      rows.map(([goal, wanted, measured, isMet]) => [goal, wanted, measured, isMet ? 'yes' : '**no**']),
    ),
  ].join('\n')
}

function formatTotals(totals: Totals[]): string {
  const rows = totals.map((one) => [
    one.name,
    one.files,
    one.readable,
    `${one.readableAccepted} (${percent(one.readableAccepted, one.readable)})`,
    `${one.encryptedAccepted} of ${one.encrypted}`,
    one.accepted,
    one.pictured,
    `${one.same} (${percent(one.same, one.accepted - one.notComparable)})`,
    one.notComparable,
    one.pagesCompared,
    one.pageCountChanged,
    one.blanked,
    one.lostWords,
    one.addedWords,
    one.lostValues,
    seconds(one.slowestMs),
    megabytes(one.peakBytes),
  ])
  const heads =
    'Collection,Files,Readable,of these accepted,Encrypted: accepted,Accepted in all,kept as pictures,of these same,not comparable,' +
    'Pages compared,Page count changed,Blanked,Words lost,Words added,Form values lost,Slowest job,Largest process'
  return `## Totals\n\n${formatTable(heads.split(','), rows)}`
}

function formatRefusals(totals: Totals[]): string {
  const reasons = [...new Set(totals.flatMap(({ refusals }) => [...refusals.keys()]))].sort()
  if (reasons.length === 0) return ''
  const rows = totals.map(({ name, refusals }) => [name, ...reasons.map((reason) => refusals.get(reason) ?? 0)])
  return `## Refused at upload, by reason\n\n${formatTable(['Collection', ...reasons.map(code)], rows)}`
}

function formatDeviations(examinations: readonly Examination[]): string {
  const rows = examinations.flatMap((one) => {
    const words = describeDeviation(one)
    return words === '' ? [] : [[one.collection, code(one.file), words]]
  })
  return `## Accepted files that deviate\n\n${rows.length === 0 ? 'None.\n' : formatTable(['Collection', 'File', 'What'], rows)}`
}

function describeDeviation(one: Examination): string {
  const { pages, poppler, inspection } = one
  const words: string[] = []
  if (isHang(one)) words.push(`takes ${seconds(Math.max(one.inspectMs, one.buildMs))}`)
  if (one.peakBytes > MOST_BYTES) words.push(`takes ${megabytes(one.peakBytes)}`)
  if (!isAccepted(one)) return words.join('; ')
  if (one.buildFault !== undefined) words.push(`certification says ${code(one.buildFault)}`)
  if (inspection.ok && isPageCountChanged(one)) words.push(`${inspection.pages} pages, poppler finds ${poppler.pages}`)
  if (pages.blanked.length > 0) words.push(`blank now: ${listPages(pages.blanked)}`)
  if (pages.copyNotDrawn.length > 0) words.push(`cannot be drawn from the copy: ${listPages(pages.copyNotDrawn)}`)
  words.push(...describeDifferences('looks different', pages.different))
  words.push(...describeWords('loses', one.words.lost), ...describeWords('gains', one.words.added))
  if (one.words.lostValues.length > 0) words.push(`loses ${one.words.lostValues.length} form values`)
  if (hasNewErrors(one)) words.push(`qpdf: ${one.qpdf.words}`)
  return words.join('; ')
}

function describeDifferences(words: string, different: Examination['pages']['different']): string[] {
  if (different.length === 0) return []
  const worst = Math.max(...different.map((page) => page.share))
  const others = different.map(({ byPdfium }) => byPdfium)
  const second = others.every((share) => share !== undefined)
    ? `up to ${(Math.max(...others) * 100).toFixed(1)} % to PDFium`
    : 'PDFium cannot draw it'
  const reviewers = different.flatMap(({ byReviewer }) => (byReviewer === undefined ? [] : [byReviewer]))
  const third = reviewers.length === 0 ? '' : `, up to ${(Math.max(...reviewers) * 100).toFixed(1)} % to pdf.js`
  const shown = listPages(different.map(({ page }) => page))
  return [`${words} (up to ${(worst * 100).toFixed(1)} % to poppler, ${second}${third}): ${shown}`]
}

function describeWords(verb: string, pages: readonly PageWords[]): string[] {
  const words = pages.flatMap((page) => page.words)
  if (words.length === 0) return []
  return [
    `${verb} ${words.length} ${words.length === 1 ? 'word' : 'words'}: ${listPages(pages.map(({ page }) => page))}`,
  ]
}

function formatRemarks(examinations: readonly Examination[]): string {
  const rows = examinations.flatMap((one) => {
    if (!isAccepted(one) || one.buildFault !== undefined) return []
    const { originalNotDrawn } = one.pages
    const words: string[] = []
    if (!one.poppler.isReadable) words.push(`poppler cannot read the original: ${one.poppler.complaint}`)
    if (originalNotDrawn.length > 0) words.push(`poppler cannot draw the original's ${listPages(originalNotDrawn)}`)
    const { doubted, unshownValues } = one.words
    words.push(...describeDifferences('looks different to poppler alone', one.pages.doubted))
    words.push(...describeWords('to poppler alone, loses or gains', doubted))
    if (unshownValues.length > 0) {
      words.push(`${unshownValues.length} form values that pdf.js does not show in the original either`)
    }
    return words.length === 0 ? [] : [[one.collection, code(one.file), words.join('; ')]]
  })
  if (rows.length === 0) return ''
  return `## Accepted files that cannot be compared, or not fully, or that judges read differently\n\n${formatTable(['Collection', 'File', 'Why'], rows)}`
}

function listPages(pages: number[]): string {
  const shown = pages.slice(0, 6).join(', ')
  return `page ${shown}${pages.length > 6 ? ` and ${pages.length - 6} more` : ''}`
}

function formatTable(heads: string[], rows: (string | number)[][]): string {
  const lines = [heads, heads.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')).join(' | ')} |`,
  )
  return `${lines.join('\n')}\n`
}

const code = (text: string): string => `\`${text}\``
const share = (part: number, whole: number): number => (whole === 0 ? 100 : (100 * part) / whole)
/** Rounded down: a goal that is missed must not look met. */
const percent = (part: number, whole: number): string => `${(Math.floor(share(part, whole) * 100) / 100).toFixed(2)} %`
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
