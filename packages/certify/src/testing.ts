import { PDF } from '@libpdf/core'
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { deflateZeros } from './testing/hostile/inflating-data.ts'
import { writeRawPdf } from './testing/raw-pdf.ts'
import type { DocumentType } from './types.ts'

export { makeCoveredUnlikePdf, makeUnlikePdf } from './testing/ambiguous-file.ts'
export { HOSTILE_FILES } from './testing/hostile/all-files.ts'
export type { HostileFile } from './testing/hostile/hostile-file.ts'
export { needJudge, runJudge } from './testing/judges.ts'
export { makeFormWithoutAppearance, makeHiddenLayer } from './testing/odd-pdfs.ts'
export { expectWithin, PATIENT } from './testing/pace.ts'
export { writeRawPdf } from './testing/raw-pdf.ts'

/** A plain PDF whose pages say `{text} 1`, `{text} 2`, …; A4, Helvetica. */
export function makePdf({ pages = 1, text = 'Page' }: { pages?: number; text?: string } = {}): Buffer {
  const safe = text.replaceAll(/[()\\]/g, '')
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '', '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>']
  const kids: number[] = []
  for (let page = 1; page <= pages; page++) {
    const number = objects.length + 1
    kids.push(number)
    const content = `BT /F1 24 Tf 60 740 Td (${safe} ${page}) Tj ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${number + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    )
  }
  objects[1] = `<< /Type /Pages /Count ${pages} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`
  return writeRawPdf(objects)
}

/** A PDF of about this size: one page with a picture that does not compress. */
export function makeLargePdf(sizeBytes: number): Buffer {
  const side = Math.ceil(Math.sqrt(sizeBytes / 3))
  const picture = randomBytes(side * side * 3).toString('latin1')
  const content = 'q 500 0 0 500 40 200 cm /Im Do Q'
  return writeRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /Im 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    `<< /Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8 ` +
      `/Length ${picture.length} >>\nstream\n${picture}\nendstream`,
  ])
}

/** With a user password nobody can read it; with an owner password alone everybody can. */
export async function makeProtectedPdf(password: { user?: string; owner?: string }): Promise<Buffer> {
  const pdf = await PDF.load(makePdf({ pages: 2, text: 'Protected' }))
  pdf.setProtection({
    algorithm: 'AES-256',
    ...(password.user === undefined ? {} : { userPassword: password.user }),
    ...(password.owner === undefined ? {} : { ownerPassword: password.owner }),
  })
  return Buffer.from(await pdf.save())
}

/** A PDF cut in the middle of its content. */
export function makeTruncatedPdf(): Buffer {
  const whole = makePdf({ pages: 3 })
  return whole.subarray(0, 120)
}

/** About 1 MB whose object stream, which every reader must inflate, becomes 1 GB. */
export function makeBombPdf(): Buffer {
  const bomb = deflateZeros(1024).toString('latin1')
  return writeRawPdf(
    ['', `<< /Type /ObjStm /N 2 /First 10 /Filter /FlateDecode /Length ${bomb.length} >>\nstream\n${bomb}\nendstream`],
    { xrefStream: { root: 3, compressed: [3, 4], container: 2 } },
  )
}

export interface ImageOptions {
  width?: number
  height?: number
}

/** Two halves of different colours, so that turning and mirroring can be seen: red is left, blue is right, top has a bar. */
async function drawPicture({ width = 320, height = 200 }: ImageOptions, channels: 3 | 4): Promise<Sharp> {
  const pixels = Buffer.alloc(width * height * channels)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels
      const colour = y < height / 10 ? [0, 160, 0] : x < width / 2 ? [200, 20, 20] : [20, 20, 200]
      pixels.set(colour, at)
      if (channels === 4) pixels[at + 3] = x < width / 4 ? 0 : 255
    }
  }
  return sharp(pixels, { raw: { width, height, channels } })
}

export interface JpegOptions extends ImageOptions {
  /** Exif orientation; 6 means: turn a quarter clockwise to see it upright. */
  orientation?: number
  kind?: 'rgb' | 'grey' | 'cmyk' | 'progressive'
}

export async function makeJpeg({ orientation, kind = 'rgb', ...size }: JpegOptions = {}): Promise<Buffer> {
  let picture = await drawPicture(size, 3)
  if (kind === 'grey') picture = picture.toColourspace('b-w')
  if (kind === 'cmyk') picture = picture.toColourspace('cmyk')
  if (orientation !== undefined) picture = picture.withMetadata({ orientation })
  return picture.jpeg({ quality: 90, progressive: kind === 'progressive' }).toBuffer()
}

export type PngKind = 'rgb' | 'alpha' | 'palette' | 'grey' | '16bit' | '16bit-alpha' | 'interlaced'

export async function makePng({ kind = 'rgb', ...size }: ImageOptions & { kind?: PngKind } = {}): Promise<Buffer> {
  const picture = await drawPicture(size, kind === 'alpha' || kind === '16bit-alpha' ? 4 : 3)
  if (kind === 'palette') return picture.png({ palette: true }).toBuffer()
  if (kind === 'grey') return picture.toColourspace('b-w').png().toBuffer()
  if (kind === '16bit' || kind === '16bit-alpha') return picture.toColourspace('rgb16').png().toBuffer()
  return picture.png({ progressive: kind === 'interlaced' }).toBuffer()
}

/** Cut in the middle of its pixels. */
export async function makeTruncatedImage(type: Exclude<DocumentType, 'PDF'>): Promise<Buffer> {
  const whole = type === 'JPEG' ? await makeJpeg() : await makePng()
  return whole.subarray(0, Math.floor(whole.length / 2))
}

/** A few bytes that announce 30,000 x 30,000 pixels. */
export async function makePixelBomb(): Promise<Buffer> {
  const bytes = Buffer.from(await makePng())
  bytes.writeUInt32BE(30_000, 16)
  bytes.writeUInt32BE(30_000, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}
