import { randomFillSync } from 'node:crypto'
import sharp from 'sharp'

/** Twelve megapixels. */
const SIZE = { width: 4000, height: 3000 }
/** How much is known of it: what lies between is smooth, as in photographs. With this quality it has about 5 MB. */
const GRAIN = 4
const QUALITY = 88

/** A photograph as telephones take them: 12 megapixels, about 5 MB. */
export async function makePhotograph(): Promise<Buffer> {
  const [width, height] = [SIZE.width / GRAIN, SIZE.height / GRAIN]
  const pixels = randomFillSync(new Uint8Array(width * height * 3))
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize(SIZE.width, SIZE.height, { kernel: 'cubic' })
    .jpeg({ quality: QUALITY })
    .toBuffer()
}
