import type { CertifyPool } from '@proofdesk/certify/pool'
import { CertifyError } from '@proofdesk/certify/pool'
import type { CertificateFields, Inspection } from '@proofdesk/certify/types'
import { paintsAnything } from '@proofdesk/certify/testing/drawn-words'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Comparison, comparePictures, type Picture, showsAnything, shrinkPicture } from './compare-pictures.ts'
import { splitWords } from './compare-words.ts'
import { judgeWords, NO_WORDS, type WordVerdicts } from './judge-words.ts'
import type { MemoryWatch } from './peak-memory.ts'
import { drawPages, type PopplerInfo, readInfo } from './poppler.ts'
import { drawByReviewer, readUnit } from './reviewer-judge.ts'
import { runJudge } from './run-judge.ts'
import { drawByPdfium } from './second-judge.ts'

/** As many as a collection may have. */
const MAX_PAGES = 2000
const QPDF_TIMEOUT_MS = 60_000
/** Where others have the processors, each may end without an answer. */
const MOST_ATTEMPTS = 10
const PAGES_AT_ONCE = 40
/** Low enough for thousands of pages, high enough that a missing line of text counts. */
const DPI = 40
/** Small pages are drawn larger and huge ones smaller than that, so that the longest side has this many pixels. */
const FEWEST_PIXELS = 468
const MOST_PIXELS = 1600
/** Of what is kept as pictures; large sheets are kept coarser. */
const PICTURED_DPI = 200
const SHRUNK = 4
/** Share of differing pixels from which a page's picture is not the same. */
export const SAME_BELOW = 0.005

const FIELDS: CertificateFields = {
  proofId: '7Q3K-9ZB4-M0XT-C8VN-5',
  organisation: 'Robustness run',
  isTestInstance: false,
  title: 'Robustness run',
  username: 'robustness',
  reviewer: 'robustness',
  description: '',
  submission: null,
  submittedAt: null,
  approvedAt: Date.UTC(2026, 10, 20),
  expiresAt: null,
  verifyUrl: 'https://proof.example/service-content',
  code: { address: 'https://proof.example/service-content#', data: '2KCE' },
}

/** What became of one file. */
export interface Examination {
  collection: string
  file: string
  poppler: PopplerInfo
  inspection: Inspection
  inspectMs: number
  buildMs: number
  /** Largest resident size of the parsing process, in bytes. */
  peakBytes: number
  /** Undefined when certification succeeded or was not tried. */
  buildFault: string | undefined
  /** Exit codes of `qpdf --check`: 0 clean, 3 warnings, 2 errors. The original's undefined for a refused file. */
  qpdf: { original: number | undefined; copy: number | undefined; words: string }
  pages: PageVerdicts
  words: WordVerdicts
}

/** Shares of differing pixels, to poppler and to two others; undefined where one cannot draw both, or was not asked. */
export interface PageDifference {
  page: number
  share: number
  byPdfium: number | undefined
  /** To pdf.js, the reader in the page, which is asked where both others see a difference. */
  byReviewer?: number | undefined
}

/** Page numbers are those of the original, from 1. */
export interface PageVerdicts {
  compared: number
  different: PageDifference[]
  /** The same, of pages that PDFium draws alike: poppler makes up pictures for annotations that have none. */
  doubted: PageDifference[]
  /** Showed something and shows nothing now: to poppler, to PDFium where it draws both, and pdf.js drew something there. */
  blanked: number[]
  /** Poppler makes no picture of the original's page, so nothing can be said about the copy's. */
  originalNotDrawn: number[]
  copyNotDrawn: number[]
}

export interface Bench {
  pool: CertifyPool
  memory: MemoryWatch
  /** A folder of its own for what is written in between; emptied after each file. */
  folder: string
}

/** Takes a file through the upload check and certification as the product does, and compares what comes out. */
export async function examineFile(bench: Bench, collection: string, root: string, file: string): Promise<Examination> {
  const path = join(root, file)
  const poppler = await readInfo(path)
  bench.memory.start()
  const [inspection, inspectMs] = await askPatiently(() => bench.pool.inspect(path, { maxPages: MAX_PAGES }))
  const examination: Examination = {
    collection,
    file,
    poppler,
    inspection,
    inspectMs,
    buildMs: 0,
    peakBytes: 0,
    buildFault: undefined,
    qpdf: { original: undefined, copy: undefined, words: '' },
    pages: {
      compared: 0,
      different: [],
      doubted: [],
      blanked: [],
      originalNotDrawn: [],
      copyNotDrawn: [],
    },
    words: NO_WORDS,
  }
  if (inspection.ok && inspection.type === 'PDF') await certifyAndCompare(bench, examination, path, inspection)
  else examination.peakBytes = bench.memory.stop()
  return examination
}

/** Who is told that the machine is busy comes again. @returns what was said at last, and how long that took. */
async function askPatiently<T>(ask: () => Promise<T>): Promise<[T, number]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await takeTime(ask)
    } catch (error) {
      if (!(error instanceof CertifyError) || error.code !== 'crowded' || attempt === MOST_ATTEMPTS) throw error
    }
  }
}

async function certifyAndCompare(
  bench: Bench,
  into: Examination,
  path: string,
  { pages, isPictured }: Extract<Inspection, { ok: true }>,
): Promise<void> {
  const outPath = join(bench.folder, 'certified.pdf')
  const reviewPath = join(bench.folder, 'review.pdf')
  const [outcome, buildMs] = await askPatiently(() => build(bench.pool, { path, isPictured }, reviewPath, outPath))
  into.buildMs = buildMs
  into.peakBytes = bench.memory.stop()
  try {
    if (typeof outcome === 'string') {
      into.buildFault = outcome
      return
    }
    into.qpdf = await askQpdf(path, outPath)
    const copy = { pages, offset: outcome.pages - pages }
    if (isPictured) await comparePictured(into, path, outPath, copy)
    else await comparePages(bench.folder, into, path, outPath, copy)
    if (!into.poppler.isReadable) return
    const stampWords = (page: number): string[] => listStampWords(page, outcome.pages)
    const stages = {
      original: path,
      review: reviewPath,
      certified: outPath,
      offset: copy.offset,
      stampWords,
      isPictured,
    }
    into.words = await judgeWords(stages)
  } finally {
    rmSync(outPath, { force: true })
    rmSync(reviewPath, { force: true })
  }
}

async function build(
  pool: CertifyPool,
  { path, isPictured }: { path: string; isPictured: boolean },
  reviewPath: string,
  outPath: string,
): Promise<{ pages: number } | string> {
  const bytes = readFileSync(path)
  const source = {
    type: 'PDF',
    title: basename(path),
    fileName: basename(path),
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  } as const
  try {
    const documents = [{ path, isPictured, ...source }]
    const prepared = await pool.prepare({ documents, title: source.title, outPath: reviewPath, maxPages: MAX_PAGES })
    const { sha256, sizeBytes } = prepared
    return await pool.build({
      fields: FIELDS,
      reviewDocument: { path: reviewPath, sha256, sizeBytes },
      originals: [{ ...source, ...prepared.originals[0]! }],
      outPath,
    })
  } catch (error) {
    if (error instanceof CertifyError && error.code !== 'crowded') return error.reason ?? error.code
    throw error
  }
}

/** What stands at the foot of a certified page. */
const listStampWords = (page: number, pages: number): string[] =>
  splitWords(`${FIELDS.proofId} page ${page} of ${pages} ${FIELDS.verifyUrl}`)

async function askQpdf(path: string, outPath: string): Promise<Examination['qpdf']> {
  const copy = await runJudge('qpdf', ['--check', outPath], QPDF_TIMEOUT_MS)
  if (copy.code === 0) return { original: undefined, copy: 0, words: '' }
  const original = await runJudge('qpdf', ['--check', path], QPDF_TIMEOUT_MS)
  const words = copy.text.split('\n').find((line) => /^(WARNING|ERROR)/.test(line)) ?? copy.text.trim().slice(0, 200)
  return { original: original.code, copy: copy.code, words: words.replaceAll(outPath, 'the copy') }
}

async function comparePages(
  folder: string,
  { poppler, pages: verdicts }: Examination,
  path: string,
  outPath: string,
  copy: { pages: number; offset: number },
): Promise<void> {
  if (!poppler.isReadable) return
  const side = (poppler.longestSide * DPI) / 72
  const dpi = DPI * (Math.min(MOST_PIXELS, Math.max(FEWEST_PIXELS, side)) / side)
  const pages = Math.min(poppler.pages, copy.pages)
  for (let first = 1; first <= pages; first += PAGES_AT_ONCE) {
    const last = Math.min(pages, first + PAGES_AT_ONCE - 1)
    const originals = await drawPages(path, first, last, dpi, folder)
    const copies = await drawPages(outPath, first + copy.offset, last + copy.offset, dpi, folder)
    for (const [i, original] of originals.entries()) {
      const page = first + i
      const drawn = copies[i]
      if (original === undefined) verdicts.originalNotDrawn.push(page)
      else if (drawn === undefined) verdicts.copyNotDrawn.push(page)
      else {
        const unit = hasSize(original, drawn, dpi) ? 1 : await readUnit(path, page)
        const { differing, isBlanked } = comparePictures(original, drawn, dpi, unit)
        verdicts.compared += 1
        if (isBlanked || differing >= SAME_BELOW) {
          const second = await askPdfium(path, page, outPath, page + copy.offset, dpi, unit)
          const isFiner = second !== undefined && second.differing >= SAME_BELOW
          const finer = isFiner
            ? await askPdfium(path, page, outPath, page + copy.offset, FINER * dpi, unit)
            : undefined
          const byPdfium = (finer ?? second)?.differing
          const isBlank = isBlanked && second?.isBlanked !== false && (await isPainted(path, page, dpi))
          if (isBlank) verdicts.blanked.push(page)
          const isSame = !isBlank && byPdfium !== undefined && byPdfium < SAME_BELOW
          const byReviewer = isSame ? undefined : await askReviewer(path, page, outPath, page + copy.offset, dpi)
          verdicts[isSame ? 'doubted' : 'different'].push({ page, share: differing, byPdfium, byReviewer })
        }
      }
    }
  }
}

/** Whether two pictures are as large as page and copy are, as a rule. */
const hasSize = (original: Picture, copy: Picture, dpi: number): boolean =>
  comparePictures(original, copy, dpi).differing < 1

/**
 * What is kept as pictures is what PDFium shows, whatever others do: it is compared by PDFium alone. Both are drawn as finely as the
 * pictures are and then made smaller: drawn small, letters and their picture have other edges.
 */
async function comparePictured(
  { poppler, pages: verdicts }: Examination,
  path: string,
  outPath: string,
  copy: { pages: number; offset: number },
): Promise<void> {
  for (let page = 1; page <= Math.min(poppler.pages, copy.pages); page++) {
    const [original, drawn] = [
      await drawByPdfium(path, page, toWholePixels(poppler.longestSide)),
      await drawByPdfium(outPath, page + copy.offset, PICTURED_DPI),
    ]
    if (original === undefined) verdicts.originalNotDrawn.push(page)
    else if (drawn === undefined) verdicts.copyNotDrawn.push(page)
    else {
      const [before, after] = [shrinkPicture(original, SHRUNK), shrinkPicture(drawn, SHRUNK)]
      const { differing, isBlanked } = comparePictures(before, after, PICTURED_DPI / SHRUNK)
      verdicts.compared += 1
      if (isBlanked) verdicts.blanked.push(page)
      if (differing >= SAME_BELOW) verdicts.different.push({ page, share: differing, byPdfium: differing })
    }
  }
}

/** A page becomes whole pixels when it is kept as a picture: the resolution at which its original does, too. @param side Points. */
const toWholePixels = (side: number): number => (Math.round((side * PICTURED_DPI) / 72) * 72) / side

/** What pdf.js puts nothing on, such as a page of link frames or of hidden layers, shows nothing to the reviewer (record 23). */
async function isPainted(path: string, page: number, dpi: number): Promise<boolean> {
  try {
    if (!(await paintsAnything(readFileSync(path), page))) return false
    const drawn = await drawByReviewer(path, page, dpi)
    return drawn === undefined || showsAnything(drawn)
  } catch {
    return true
  }
}

/** A line of a point is no thinner than a pixel then: PDFium draws thinner ones otherwise in content than around links. */
const FINER = 2

async function askPdfium(
  path: string,
  page: number,
  outPath: string,
  copyPage: number,
  dpi: number,
  unit: number,
): Promise<Comparison | undefined> {
  const original = await drawByPdfium(path, page, dpi)
  const copy = await drawByPdfium(outPath, copyPage, dpi)
  return original === undefined || copy === undefined ? undefined : comparePictures(original, copy, dpi, unit)
}

/** @returns the share of differing pixels. */
async function askReviewer(
  path: string,
  page: number,
  outPath: string,
  copyPage: number,
  dpi: number,
): Promise<number | undefined> {
  const original = await drawByReviewer(path, page, dpi)
  const copy = await drawByReviewer(outPath, copyPage, dpi)
  return original === undefined || copy === undefined ? undefined : comparePictures(original, copy, dpi).differing
}

async function takeTime<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now()
  const result = await work()
  return [result, performance.now() - start]
}
