import { readFile } from 'node:fs/promises'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { runJudge } from './judges.ts'

/** Marks of direction: pdftotext puts some around what runs from right to left. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202c]/g

/** What two readers take out of the first page. Line ends count as spaces. */
export interface ReadText {
  /** PDF.js, the reader of this program and of Firefox. */
  pdfJs: string
  /** pdftotext of Poppler, without its marks of direction. */
  pdfToText: string
}

export async function readFirstPage(path: string): Promise<ReadText> {
  const document = await getDocument({ data: new Uint8Array(await readFile(path)), verbosity: 0 }).promise
  const page = await document.getPage(1)
  const { items } = await page.getTextContent()
  const pdfJs = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
  await document.loadingTask.destroy()
  const { text } = await runJudge('pdftotext', '-f', '1', '-l', '1', path, '-')
  return { pdfJs: joinLines(pdfJs), pdfToText: joinLines(text) }
}

/** As a text is compared: without marks of direction, with one space between words. */
export function joinLines(text: string): string {
  return text.replaceAll(DIRECTION_MARKS, '').replaceAll(/\s+/g, ' ').trim()
}
