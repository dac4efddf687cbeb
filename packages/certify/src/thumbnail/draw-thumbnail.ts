import { IMAGE_MAX_PIXELS } from '@proofdesk/proof/image-limit'
import sharp, { type Sharp } from 'sharp'
import { readUpload } from '../read-upload.ts'
import type { DocumentType } from '../types.ts'
import { THUMBNAIL_AIM_BYTES, THUMBNAIL_SIDE } from './limits.ts'

/** Tried in turn until the picture is small enough; the last one is taken as it is. */
const QUALITIES = [75, 50, 25] as const
const PAPER = '#ffffff'

/**
 * Draws the first page of a stored upload, small, as WebP.
 * @returns undefined when there is nothing to draw it from: that says nothing of the upload.
 * @throws CertifyError `file_unreadable` when the path cannot be read.
 */
export async function drawThumbnail(path: string, type: DocumentType): Promise<Uint8Array | undefined> {
  const bytes = readUpload(path)
  try {
    return await encodePicture(type === 'PDF' ? await readDrawnPage(bytes) : readImage(bytes))
  } catch {
    // another reader than the one that checked the upload may stumble where that one did not
    return undefined
  }
}

async function readDrawnPage(bytes: Uint8Array): Promise<Sharp> {
  // only the process that draws needs the library
  const { drawPdfPage } = await import('./draw-pdf-page.ts')
  const { width, height, rgba } = await drawPdfPage(bytes, THUMBNAIL_SIDE)
  return sharp(rgba, { raw: { width, height, channels: 4 } })
}

/** As it lies on the page of a certified PDF: turned as its camera says, on white paper. */
function readImage(bytes: Uint8Array): Sharp {
  return sharp(bytes, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error', autoOrient: true }).resize({
    width: THUMBNAIL_SIDE,
    height: THUMBNAIL_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  })
}

async function encodePicture(picture: Sharp): Promise<Uint8Array> {
  // decoded once, however often it is encoded
  const { data, info } = await picture
    .flatten({ background: PAPER })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  let smallest = Buffer.alloc(0)
  for (const quality of QUALITIES) {
    smallest = await sharp(data, { raw: { width, height, channels } }).webp({ quality }).toBuffer()
    if (smallest.length <= THUMBNAIL_AIM_BYTES) break
  }
  return smallest
}
