import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Picture, readPortablePixmap } from './compare-pictures.ts'
import { splitWords } from './compare-words.ts'
import { runJudge } from './run-judge.ts'

const INFO_TIMEOUT_MS = 30_000
const WORDS_TIMEOUT_MS = 60_000
const DRAW_TIMEOUT_MS = 120_000

/** What poppler says about a file before it draws anything. */
export interface PopplerInfo {
  /** It opens without a password and has pages. */
  isReadable: boolean
  isEncrypted: boolean
  pages: number
  /** Length of the longest side of any page as seen, in points. */
  longestSide: number
  /** Its own words when it cannot read the file. */
  complaint: string
}

export async function readInfo(path: string): Promise<PopplerInfo> {
  const { code, text, isTimedOut } = await runJudge('pdfinfo', ['-f', '1', '-l', '-1', path], INFO_TIMEOUT_MS)
  const pages = Number(/^Pages:\s+(\d+)/m.exec(text)?.[1] ?? 0)
  const sides = [...text.matchAll(/^Page\s+\d+ size:\s+([\d.]+) x ([\d.]+)/gm)].flatMap(([, a, b]) => [
    Number(a),
    Number(b),
  ])
  const faults = text.split('\n').filter((line) => /error/i.test(line))
  return {
    isReadable: code === 0 && pages > 0,
    isEncrypted: /^Encrypted:\s+yes/m.test(text) || /incorrect password|encrypt/i.test(faults.join(' ')),
    pages,
    longestSide: Math.max(1, ...sides),
    complaint: isTimedOut ? 'takes more than 30 s' : explain(faults, code),
  }
}

function explain(faults: string[], code: number): string {
  const last = faults.at(-1)
  // what it says when it is asked for the first page of none
  return last?.includes('Wrong page range') === true ? 'finds no page' : (last ?? `exit code ${code}`)
}

/**
 * The words of every page within its crop box, in the order in which they are drawn, with what annotations and fields show.
 * Invisible words, such as those behind scans, are among them.
 * @returns no page where poppler reads none.
 */
export async function readWords(path: string): Promise<string[][]> {
  const args = ['-raw', '-cropbox', '-q', '-enc', 'UTF-8', path, '-']
  const { text } = await runJudge('pdftotext', args, WORDS_TIMEOUT_MS, 'utf8')
  return text.split('\f').slice(0, -1).map(splitWords)
}

/** A word and where it stands, in points from the upper left corner of what is shown of the page. */
export interface SeenWord {
  text: string
  left: number
  top: number
  right: number
  bottom: number
}

/** The words of one page as `readWords`, with their places; none where poppler reads none. */
export async function placeWords(path: string, page: number): Promise<SeenWord[]> {
  const range = ['-f', String(page), '-l', String(page)]
  const args = ['-bbox', '-cropbox', '-q', '-enc', 'UTF-8', ...range, path, '-']
  const { text } = await runJudge('pdftotext', args, WORDS_TIMEOUT_MS, 'utf8')
  return [...text.matchAll(WORD)].map(([, left, top, right, bottom, word]) => ({
    text: unescapeMarkup(word!),
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
  }))
}

const WORD = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)</g
const MARKUP: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
const unescapeMarkup = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => MARKUP[name]!)

/**
 * Draws pages as people see them: crop box, annotations, form fields.
 * @param last Inclusive, counted from 1 like `first`.
 * @returns a picture for each page; undefined for a page of which poppler makes none.
 */
export async function drawPages(
  path: string,
  first: number,
  last: number,
  dpi: number,
  folder: string,
): Promise<(Picture | undefined)[]> {
  const pictures = await drawRange(path, first, last, dpi, folder)
  // a page that ends the program must not cost the pages behind it
  for (const [i, picture] of pictures.entries()) {
    if (picture !== undefined || last === first) continue
    pictures[i] = (await drawRange(path, first + i, first + i, dpi, folder))[0]
  }
  return pictures
}

async function drawRange(
  path: string,
  first: number,
  last: number,
  dpi: number,
  folder: string,
): Promise<(Picture | undefined)[]> {
  const range = ['-f', String(first), '-l', String(last)]
  const args = ['-cropbox', '-r', dpi.toFixed(2), ...range, path, join(folder, 'page')]
  await runJudge('pdftoppm', args, DRAW_TIMEOUT_MS)
  const pictures: (Picture | undefined)[] = Array.from({ length: last - first + 1 }, () => undefined)
  for (const name of readdirSync(folder)) {
    const page = /^page-(\d+)\.ppm$/.exec(name)?.[1]
    if (page === undefined) continue
    pictures[Number(page) - first] = readPortablePixmap(readFileSync(join(folder, name)))
    rmSync(join(folder, name))
  }
  return pictures
}
