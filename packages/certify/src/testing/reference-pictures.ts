import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { runJudge } from './judges.ts'

/** Resolution of the reference pictures, in dots per inch. */
const RESOLUTION = 100
/** What is left of the edges of letters after blurring differs between versions of a renderer by less, of 255. */
const MAX_DIFFERENCE = 60

export const findPicture = (name: string): URL => new URL(`pictures/${name}.png`, import.meta.url)

/** The page in few greys, small enough to be kept. */
export async function renderPicture(pdfPath: string, page = 1): Promise<Buffer> {
  const number = String(page)
  const args = ['-r', String(RESOLUTION), '-gray', '-png', '-f', number, '-l', number, pdfPath]
  const { output } = await runJudge('pdftoppm', ...args)
  return sharp(output).png({ palette: true, colours: 8, dither: 0, compressionLevel: 9, effort: 10 }).toBuffer()
}

/** @returns how many pixels of the blurred pictures differ clearly: some dozens are one letter of running text. */
export async function countDifferences(picture: Buffer, name: string): Promise<number> {
  const [first, second] = await Promise.all([blurPicture(picture), blurPicture(await readFile(findPicture(name)))])
  if (first.length !== second.length) return Number.POSITIVE_INFINITY
  return first.reduce((count, value, i) => (Math.abs(value - second[i]!) > MAX_DIFFERENCE ? count + 1 : count), 0)
}

async function blurPicture(picture: Buffer): Promise<Uint8Array> {
  return sharp(picture).greyscale().blur(1.2).raw().toBuffer()
}
