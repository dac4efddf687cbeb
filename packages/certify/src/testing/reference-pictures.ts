import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { drawPdfPage } from '../thumbnail/draw-pdf-page.ts'

/** In pixels: A4 at 100 dots per inch. */
const HEIGHT = 1169
/**
 * Pictures are blurred and small differences passed over, so that another version of the renderer may set edges of letters
 * a little otherwise. A changed letter of running text differs in a dozen pixels or more.
 */
const BLUR = 0.8
const MAX_DIFFERENCE = 40

export const findPicture = (name: string): URL => new URL(`pictures/${name}.png`, import.meta.url)

/**
 * The first page in few greys, small enough to be kept. It is drawn by the pinned PDFium, because installed renderers draw
 * letters differently from machine to machine.
 */
export async function renderPicture(pdfPath: string): Promise<Buffer> {
  const { width, height, rgba } = await drawPdfPage(await readFile(pdfPath), HEIGHT)
  const picture = sharp(rgba, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .greyscale()
  return picture.png({ palette: true, colours: 8, dither: 0, compressionLevel: 9, effort: 10 }).toBuffer()
}

/** @returns how many pixels of the blurred pictures differ clearly. */
export async function countDifferences(picture: Buffer, name: string): Promise<number> {
  const [first, second] = await Promise.all([blurPicture(picture), blurPicture(await readFile(findPicture(name)))])
  if (first.length !== second.length) return Number.POSITIVE_INFINITY
  return first.reduce((count, value, i) => (Math.abs(value - second[i]!) > MAX_DIFFERENCE ? count + 1 : count), 0)
}

async function blurPicture(picture: Buffer): Promise<Uint8Array> {
  return sharp(picture).greyscale().blur(BLUR).raw().toBuffer()
}
