import { readDrawnWords } from '@proofdesk/certify/testing/drawn-words'
import { readFile } from 'node:fs/promises'
import { compareWords, countWord, joinLetters, type WordDifference } from './compare-words.ts'
import { readFormValues } from './form-values.ts'
import { readWords } from './poppler.ts'
import { readByPdfium } from './second-judge.ts'
import { listUnseenWords } from './unseen-words.ts'

/** What became of the words of one file. Page numbers are those of the original, from 1. */
export interface WordVerdicts {
  /** Pages whose words poppler reads in original and copy. */
  compared: number
  lost: PageWords[]
  added: PageWords[]
  /** Lost or added to poppler alone: the reader in the page shows original and copy alike. */
  doubted: PageWords[]
  /** Fields whose value the original's page shows and the copy's does not. */
  lostValues: string[]
  /** Fields whose value neither the copy nor, to the reader in the page, the original shows. */
  unshownValues: string[]
}

export interface PageWords {
  page: number
  words: string[]
}

/** The files of one certification. */
export interface Stages {
  original: string
  review: string
  certified: string
  /** Pages of the certificate before the first of the original. */
  offset: number
  /** Pages are pictures of what PDFium shows, with the words that are seen in them. */
  isPictured?: boolean
  /** What a stamp says, by the page of the certified PDF. */
  stampWords(certifiedPage: number): string[]
}

export const NO_WORDS: WordVerdicts = {
  compared: 0,
  lost: [],
  added: [],
  doubted: [],
  lostValues: [],
  unshownValues: [],
}

/**
 * Compares the words that poppler reads in the original with those of the review document and of the certified PDF. What
 * differs is shown to other readers, as poppler shows some things that no screen shows.
 */
export async function judgeWords(stages: Stages): Promise<WordVerdicts> {
  const [original, review, certified] = [
    await readWords(stages.original),
    await readWords(stages.review),
    await readWords(stages.certified),
  ]
  const verdicts: WordVerdicts = { ...NO_WORDS, lost: [], added: [], doubted: [], lostValues: [], unshownValues: [] }
  const readers = openReaders(stages)
  const values = await readFormValues(stages.original)
  // pdf.js needs a browser to draw values in scripts that a form's font has not
  const isValue = (word: string, page: number): boolean =>
    values.some((value) => value.page === page && value.letters.includes(word))
  for (let i = 0; i < Math.min(original.length, review.length); i++) {
    const page = i + 1
    const prepared = await comparePrepared(stages, page, original[i]!, review[i]!)
    const stamped = compareWords(review[i]!, certified[i + stages.offset] ?? [])
    const { added } = compareWords(stages.stampWords(page + stages.offset), stamped.added)
    const lost = [...prepared.lost, ...stamped.lost]
    const more = [...prepared.added, ...added]
    verdicts.compared += 1
    const doubted = [
      ...(await sortOut(lost, page, verdicts.lost, (word) => readers.lose(word, page))),
      ...(await sortOut(more, page, verdicts.added, async (word) => !isValue(word, page) && readers.add(word, page))),
    ]
    if (doubted.length > 0) verdicts.doubted.push({ page, words: doubted })
  }
  const letters = review.map((words) => words.join(''))
  for (const { field, page, letters: value } of values) {
    const shown = page === undefined ? letters.join('') : (letters[page - 1] ?? '')
    if (shown.includes(value)) continue
    const [before, after] = page === undefined ? [0, 0] : await readers.count(value, page)
    if (before > after) verdicts.lostValues.push(field)
    else if (before === 0) verdicts.unshownValues.push(field)
  }
  return verdicts
}

/** What nobody sees is not beside a picture: where that may be all that is missing, it is looked for. */
async function comparePrepared(
  { original: path, isPictured }: Stages,
  page: number,
  original: string[],
  review: string[],
): Promise<WordDifference> {
  const all = compareWords(original, review)
  if (isPictured !== true || all.lost.length === 0) return all
  const { lost } = compareWords(original, await listUnseenWords(path, page))
  return compareWords(lost, review)
}

/** @returns the words that the other readers see otherwise. */
async function sortOut(
  words: string[],
  page: number,
  into: PageWords[],
  isSo: (word: string) => Promise<boolean>,
): Promise<string[]> {
  const confirmed: string[] = []
  const doubted: string[] = []
  for (const word of words) ((await isSo(word)) ? confirmed : doubted).push(word)
  if (confirmed.length > 0) into.push({ page, words: confirmed })
  return doubted
}

interface OtherReaders {
  lose(word: string, page: number): Promise<boolean>
  add(word: string, page: number): Promise<boolean>
  /** How often the reader in the page draws it, in the original and in the review document. */
  count(letters: string, page: number): Promise<[number, number]>
}

/**
 * The reader in the page decides, since its look is what is certified (decision record 23). PDFium is asked about lost words
 * that this one sees in neither file, and first where pages are pictures of what it shows (record 48). Of words that were added it knows nothing: it reads no annotations, so those that became
 * part of the page are all new to it.
 */
function openReaders({ original, review, isPictured }: Stages): OtherReaders {
  const cache = new Map<string, Promise<string>>()
  const count = async (word: string, page: number, by: typeof readByPdfJs): Promise<[number, number]> => {
    const counts = [original, review].map(async (path) => {
      const key = `${by.name} ${page} ${path}`
      const letters = cache.get(key) ?? by(path, page)
      cache.set(key, letters)
      return countWord(await letters, word)
    })
    return (await Promise.all(counts)) as [number, number]
  }
  const readers = isPictured === true ? [readLettersByPdfium, readByPdfJs] : [readByPdfJs, readLettersByPdfium]
  return {
    async lose(word, page) {
      for (const by of readers) {
        const [before, after] = await count(word, page, by)
        if (before > 0 || after > 0) return before > after
      }
      return false
    },
    async add(word, page) {
      if (isPictured === true) {
        const [seen, left] = await count(word, page, readLettersByPdfium)
        if (seen > 0) return left > seen
      }
      const [before, after] = await count(word, page, readByPdfJs)
      return after > before
    },
    count: (letters, page) => count(letters, page, readByPdfJs),
  }
}

async function readByPdfJs(path: string, page: number): Promise<string> {
  try {
    return joinLetters((await readDrawnWords(await readFile(path), page))[0] ?? '')
  } catch {
    return ''
  }
}

const readLettersByPdfium = async (path: string, page: number): Promise<string> =>
  joinLetters((await readByPdfium(path, page)) ?? '')
