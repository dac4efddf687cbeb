import { type Examination, SAME_BELOW } from './examine-file.ts'

/** A file is said to hang when one of its two jobs takes longer. */
export const HANG_MS = 15_000
export const MOST_BYTES = 1 << 30

/** What a collection, or all of them together, comes to. */
export interface Totals {
  name: string
  files: number
  /** Poppler opens it without a password and finds pages, and it is not encrypted. */
  readable: number
  readableAccepted: number
  encrypted: number
  encryptedAccepted: number
  accepted: number
  /** Of these; the others are copied. */
  pictured: number
  /** Accepted, certified, all pages there, each picture that can be compared the same, and all words. */
  same: number
  /** The same without the doubts of a second judge. */
  sameToPoppler: number
  /** The same, and those whose every differing page pdf.js draws alike. */
  sameToReviewer: number
  /** Accepted and certified, but poppler cannot draw a single page of the original. */
  notComparable: number
  pagesCompared: number
  pageCountChanged: number
  blanked: number
  /** Files that lost words, gained some, or lost what was entered into a form. */
  lostWords: number
  addedWords: number
  lostValues: number
  buildFaults: number
  hangs: number
  overMemory: number
  /** `qpdf --check` finds errors in the copy and none in the original. */
  newErrors: number
  slowestMs: number
  peakBytes: number
  refusals: Map<string, number>
}

export function countTotals(name: string, examinations: readonly Examination[]): Totals {
  const accepted = examinations.filter(isAccepted)
  const readable = examinations.filter(({ poppler }) => poppler.isReadable && !poppler.isEncrypted)
  const encrypted = examinations.filter(({ poppler }) => poppler.isEncrypted)
  const refusals = new Map<string, number>()
  for (const { inspection } of examinations) {
    if (!inspection.ok) refusals.set(inspection.reason, (refusals.get(inspection.reason) ?? 0) + 1)
  }
  return {
    name,
    files: examinations.length,
    readable: readable.length,
    readableAccepted: readable.filter(isAccepted).length,
    encrypted: encrypted.length,
    encryptedAccepted: encrypted.filter(isAccepted).length,
    accepted: accepted.length,
    pictured: accepted.filter(({ inspection }) => inspection.ok && inspection.isPictured).length,
    same: accepted.filter(isSame).length,
    sameToPoppler: accepted.filter((one) => isSame(one) && !isDoubted(one)).length,
    sameToReviewer: accepted.filter((one) => isSame(withoutOthers(one))).length,
    notComparable: accepted.filter((one) => one.buildFault === undefined && one.pages.compared === 0).length,
    pagesCompared: accepted.reduce((sum, { pages }) => sum + pages.compared, 0),
    pageCountChanged: accepted.filter(isPageCountChanged).length,
    blanked: accepted.filter(({ pages }) => pages.blanked.length > 0).length,
    lostWords: accepted.filter(({ words }) => words.lost.length > 0).length,
    addedWords: accepted.filter(({ words }) => words.added.length > 0).length,
    lostValues: accepted.reduce((sum, { words }) => sum + words.lostValues.length, 0),
    buildFaults: accepted.filter(({ buildFault }) => buildFault !== undefined).length,
    hangs: examinations.filter(isHang).length,
    overMemory: examinations.filter(({ peakBytes }) => peakBytes > MOST_BYTES).length,
    newErrors: accepted.filter(hasNewErrors).length,
    slowestMs: examinations.reduce((most, { inspectMs, buildMs }) => Math.max(most, inspectMs, buildMs), 0),
    peakBytes: examinations.reduce((most, { peakBytes }) => Math.max(most, peakBytes), 0),
    refusals,
  }
}

export const isAccepted = ({ inspection }: Examination): boolean => inspection.ok

/** A page that is there in the original but cannot be drawn from the copy is not the same. */
export function isSame(one: Examination): boolean {
  const { different, blanked, copyNotDrawn, compared } = one.pages
  const { lost, added, lostValues } = one.words
  return (
    one.buildFault === undefined &&
    !isPageCountChanged(one) &&
    compared > 0 &&
    different.length === 0 &&
    blanked.length === 0 &&
    copyNotDrawn.length === 0 &&
    lost.length === 0 &&
    added.length === 0 &&
    lostValues.length === 0
  )
}

/** Without the pages that pdf.js draws alike, whatever the others see. */
function withoutOthers(one: Examination): Examination {
  const different = one.pages.different.filter(({ byReviewer = 1 }) => byReviewer >= SAME_BELOW)
  return { ...one, pages: { ...one.pages, different } }
}

/** Poppler alone sees a difference. */
const isDoubted = ({ pages, words }: Examination): boolean => pages.doubted.length > 0 || words.doubted.length > 0

/** Only poppler's count is a second opinion; where it reads nothing there is none. */
export function isPageCountChanged({ inspection, poppler }: Examination): boolean {
  return inspection.ok && poppler.isReadable && inspection.pages !== poppler.pages
}

export const isHang = ({ inspectMs, buildMs }: Examination): boolean => inspectMs > HANG_MS || buildMs > HANG_MS

export const hasNewErrors = ({ qpdf }: Examination): boolean =>
  qpdf.copy !== undefined && qpdf.copy !== 0 && qpdf.copy !== 3 && (qpdf.original === 0 || qpdf.original === 3)
