import sharp, { type Sharp } from 'sharp'
import { drawPdfPage } from '../thumbnail/draw-pdf-page.ts'
import { drawPageAsReviewer } from './draw-as-reviewer.ts'
import { runJudge } from './judges.ts'
import { startSmall } from './start-small.ts'

/** The first page as readers draw it, in areas: small differences of edges, fonts and smoothing are averaged away. */
export interface AreaPicture {
  reader: string
  width: number
  height: number
  /** Red, green and blue of each area, row by row. */
  areas: number[]
}

/** Of a square page, in each direction. */
const AREAS = 20
const PIXELS = 200

/** As the reader in the page draws. */
export async function drawAsReviewer(bytes: Uint8Array): Promise<AreaPicture> {
  const scaleToPixels = (width: number, height: number): number => PIXELS / Math.max(width, height)
  const { width, height, rgba } = await drawPageAsReviewer(bytes, 1, scaleToPixels)
  return divide('pdf.js', sharp(Buffer.from(rgba.buffer), { raw: { width, height, channels: 4 } }))
}

export async function drawAsChrome(bytes: Uint8Array): Promise<AreaPicture> {
  const { width, height, rgba } = await drawPdfPage(bytes, PIXELS)
  return divide('PDFium', sharp(rgba, { raw: { width, height, channels: 4 } }))
}

/** By everybody else who is on this machine; Ghostscript need not be. */
export async function drawAsOthers(bytes: Uint8Array, path: string): Promise<AreaPicture[]> {
  const { output } = await runJudge(
    'pdftoppm',
    '-r',
    '72',
    '-scale-to',
    String(PIXELS),
    '-cropbox',
    '-png',
    '-f',
    '1',
    '-l',
    '1',
    path,
  )
  const pictures = [await drawAsChrome(bytes), await divide('Poppler', sharp(output))]
  const ghostscript = await runGhostscript(path)
  if (ghostscript !== undefined) pictures.push(await divide('Ghostscript', sharp(ghostscript)))
  return pictures
}

/** As a browser has drawn, by the picture that was taken of it. */
export const readScreen = (png: Uint8Array): Promise<AreaPicture> => divide('Chromium', sharp(png))

async function runGhostscript(path: string): Promise<Buffer | undefined> {
  const options = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dFirstPage=1', '-dLastPage=1', '-r72', '-dUseCropBox']
  const args = [
    ...options,
    '-sDEVICE=png16m',
    '-dGraphicsAlphaBits=4',
    '-dTextAlphaBits=4',
    '-sOutputFile=-',
    '-sstdout=%stderr',
    path,
  ]
  const { code, output } = await startSmall({ file: 'gs', args, timeoutMs: 10_000, maxBytes: 64 << 20 })
  return code === 0 ? Buffer.from(output) : undefined
}

async function divide(reader: string, picture: Sharp): Promise<AreaPicture> {
  const whole = await picture
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .png()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = whole.info
  const areas = await sharp(whole.data)
    .resize(AREAS, AREAS, { fit: 'fill', kernel: 'linear' })
    .removeAlpha()
    .raw()
    .toBuffer()
  return { reader, width, height, areas: [...areas] }
}
