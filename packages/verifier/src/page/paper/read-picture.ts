import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import decodeQr from 'qr/decode.js'
import { readPictureSize } from './picture-size.ts'

/** A detector that some browsers bring along. WICG Shape Detection API. */
declare const BarcodeDetector:
  | undefined
  | {
      new (options: { formats: string[] }): { detect(source: ImageBitmapSource): Promise<{ rawValue: string }[]> }
      getSupportedFormats(): Promise<string[]>
    }

/** More pixels than that are made fewer: a code on a whole page is then still large enough. */
const MOST_PIXELS_A_SIDE = 4000
/** The sizes that are tried. Coarse prints are read better when they are enlarged, noisy ones when they are made smaller. */
const SCALES = [1, 2, 0.5, 1.5]
/** Milliseconds for one try. */
const TRY_MS = 3000

/** A picture that is not given to the browser: of a kind whose size is not read here, or too large. */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused'
  readonly reason: 'kind' | 'size'

  constructor(reason: 'kind' | 'size') {
    super(reason)
    this.reason = reason
  }
}

/**
 * What the code in a picture says; undefined where none is found.
 * @throws PictureRefused, or what the browser throws for no picture.
 */
export async function readPicture(file: Blob): Promise<string | undefined> {
  // A few kilobytes may unfold to gigabytes.
  const size = await readPictureSize(file)
  if (!size) throw new PictureRefused('kind')
  if (size.width * size.height > IMAGE_MAX_PIXELS) throw new PictureRefused('size')
  const picture = await createImageBitmap(file)
  try {
    return (await detect(picture)) ?? readScaled(picture)
  } finally {
    picture.close()
  }
}

/** By the browser's own detector, where it has one. */
export async function detect(picture: ImageBitmapSource): Promise<string | undefined> {
  if (typeof BarcodeDetector === 'undefined') return undefined
  try {
    if (!(await BarcodeDetector.getSupportedFormats()).includes('qr_code')) return undefined
    const [found] = await new BarcodeDetector({ formats: ['qr_code'] }).detect(picture)
    return found?.rawValue
  } catch {
    // it is there but cannot, as without a service of the system
    return undefined
  }
}

function readScaled(picture: ImageBitmap): string | undefined {
  const most = MOST_PIXELS_A_SIDE / Math.max(picture.width, picture.height)
  const fit = Math.min(1, most)
  for (const scale of new Set(SCALES.map((one) => Math.min(one * fit, most)))) {
    const text = decode(drawPixels(picture, picture.width * scale, picture.height * scale), TRY_MS)
    if (text !== undefined) return text
  }
  return undefined
}

/** @param milliseconds that it may take. */
export function decode({ data, width, height }: ImageData, milliseconds: number): string | undefined {
  try {
    return decodeQr({ data, width, height }, { timeLimit: milliseconds, effort: 100 })
  } catch {
    return undefined
  }
}

export function drawPixels(picture: CanvasImageSource, width: number, height: number): ImageData {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width))
  canvas.height = Math.max(1, Math.round(height))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return context.getImageData(0, 0, canvas.width, canvas.height)
}
