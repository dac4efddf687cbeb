import { encodeJpeg } from './encode-jpeg.ts'
import { encodePng } from './encode-png.ts'

/** Three bytes a pixel, red, green, blue, row by row from the top. */
export interface Picture {
  width: number
  height: number
  rgb: Uint8Array
}

type Colour = readonly [number, number, number]

function paint(width: number, height: number, colourAt: (x: number, y: number) => Colour): Picture {
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rgb.set(colourAt(x, y).map(clampByte), (y * width + x) * 3)
  return { width, height, rgb }
}

const clampByte = (value: number) => Math.max(0, Math.min(255, Math.round(value)))

/** The same grain every time, from -1 to 1. */
function grainAt(x: number, y: number): number {
  const mixed = Math.sin(x * 12.9898 + y * 78.233) * 43_758.545_3
  return (mixed - Math.floor(mixed)) * 2 - 1
}

/** A photograph: an evening over hills and water. */
export function takePhoto(): Buffer {
  const [width, height] = [960, 640]
  const ridge = (x: number, base: number, swing: number, seed: number) =>
    base + swing * (Math.sin(x / 97 + seed) + 0.5 * Math.sin(x / 41 + seed * 3) + 0.2 * Math.sin(x / 13 + seed * 7))
  const sky = (x: number, y: number): Colour => {
    const t = y / (height * 0.6)
    const sun = 90 * Math.exp(-((x - 640) ** 2 + (y - 250) ** 2) / 5000)
    return [90 + 150 * t + sun, 120 + 70 * t + sun * 0.9, 175 - 40 * t + sun * 0.4]
  }
  const picture = paint(width, height, (x, y) => {
    const shore = 430
    const above = y < shore ? y : 2 * shore - y - 2 * Math.sin(y / 3)
    const grain = 5 * grainAt(x, y)
    const dim = y < shore ? 1 : 0.72
    let [r, g, b] = sky(x, above)
    if (above > ridge(x, 300, 34, 1)) [r, g, b] = [92, 104, 128]
    if (above > ridge(x, 355, 26, 4)) [r, g, b] = [58, 76, 84]
    if (above > ridge(x, 405, 14, 9)) [r, g, b] = [34, 50, 46]
    return [r * dim + grain, g * dim + grain, b * dim + grain]
  })
  return encodeJpeg(picture)
}

/** A filled-in form from a flat scanner: grey paper, a little askew, with handwriting nobody can read. */
export function scanForm(): Buffer {
  const [width, height] = [827, 1169]
  const picture = paint(width, height, (px, py) => {
    const [x, y] = [px + py * 0.012, py - px * 0.012]
    const paper = 236 + 5 * grainAt(px, py) - 14 * Math.max(0, px / width - 0.9) * 10
    const ink = (shade: number): Colour => [shade, shade, shade + 6]
    const onFrame = x > 70 && x < 770 && (Math.abs(y - 150) < 2 || Math.abs(y - 1080) < 2)
    const row = Math.floor((y - 150) / 62)
    const inRow = y - 150 - row * 62
    if (onFrame || (row >= 0 && row < 15 && x > 70 && x < 770 && inRow < 1.2)) return ink(70)
    if (y > 150 && y < 1080 && (Math.abs(x - 70) < 1.3 || Math.abs(x - 770) < 1.3 || Math.abs(x - 260) < 0.8))
      return ink(80)
    // Printed labels: short bars where words would be.
    if (row >= 0 && row < 15 && x > 84 && x < 130 + ((row * 37) % 90) && Math.abs(inRow - 32) < 4 && x % 9 < 6)
      return ink(95)
    if (y > 84 && y < 112 && x > 70 && x < 420 && x % 21 < 15) return ink(60)
    const isWritten = row >= 0 && row < 13 && x > 280 && x < 400 + ((row * 113) % 320)
    const stroke = inRow - 34 - 9 * Math.sin(x / (3.1 + (row % 3))) * Math.sin(x / 23 + row) - 4 * Math.sin(x / 11)
    if (isWritten && Math.abs(stroke) < 1.8) return [40, 52, 130]
    return [paper, paper, paper - 6]
  })
  return encodePng(picture)
}
