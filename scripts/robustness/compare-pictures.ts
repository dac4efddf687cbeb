/** Rows of red, green, blue from the top, eight bits each. */
export interface Picture {
  width: number
  height: number
  pixels: Uint8Array
}

export interface Comparison {
  /** Share of the compared pixels that differ, 0 to 1. */
  differing: number
  /** The first picture shows something, the second is one colour throughout. */
  isBlanked: boolean
}

/** A pixel differs when one of its channels is off by more than this, of 255: less is a matter of rounding. */
const CHANNEL_TOLERANCE = 16

/** The copy is taller by the foot that the stamp stands in: 16 points, less on a page that is narrower than its words. */
const FOOT_POINTS = 16

/** Reads `P6` as pdftoppm writes it. @returns undefined for anything else. */
export function readPortablePixmap(bytes: Uint8Array): Picture | undefined {
  const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))
  if (head === null) return undefined
  const [width, height] = [Number(head[1]), Number(head[2])]
  const pixels = bytes.subarray(head[0].length)
  return pixels.length >= width * height * 3 ? { width, height, pixels } : undefined
}

/** One pixel for each square of so many, from the upper left corner: the mean of their colours. What is left at the edges goes. */
export function shrinkPicture(picture: Picture, side: number): Picture {
  const [width, height] = [Math.floor(picture.width / side), Math.floor(picture.height / side)]
  const pixels = new Uint8Array(3 * width * height)
  for (let y = 0; y < height; y++) {
    for (let at = 0; at < 3 * width; at++) {
      const left = 3 * side * Math.floor(at / 3) + (at % 3)
      let sum = 0
      for (let row = 0; row < side; row++)
        for (let column = 0; column < side; column++)
          sum += picture.pixels[3 * picture.width * (y * side + row) + left + 3 * column]!
      pixels[3 * width * y + at] = Math.round(sum / side ** 2)
    }
  }
  return { width, height, pixels }
}

/** Whether a picture is more than one colour throughout. */
export function showsAnything({ pixels }: Picture): boolean {
  for (let at = 0; at < pixels.length; at += 3) if (readColour(pixels, at) !== readColour(pixels, 0)) return true
  return false
}

/**
 * Compares a page with its stamped copy, above the foot of the copy. Pictures of another size differ throughout.
 * @param unit Points to a unit of the page, of which poppler and PDFium know nothing: they draw the foot so much higher.
 */
export function comparePictures(original: Picture, copy: Picture, dpi: number, unit = 1): Comparison {
  const { width, height } = original
  const foot = copy.height - height
  if (Math.abs(copy.width - width) > 1 || foot < -1 || foot > Math.ceil((FOOT_POINTS * dpi) / (72 * unit)) + 1) {
    return { differing: 1, isBlanked: false }
  }
  const columns = Math.min(width, copy.width)
  const rows = Math.min(height, copy.height)
  let different = 0
  const seen = { original: new Set<number>(), copy: new Set<number>() }
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const a = 3 * (y * width + x)
      const b = 3 * (y * copy.width + x)
      if (isDifferent(original.pixels, a, copy.pixels, b)) different += 1
      if (seen.original.size < 2) seen.original.add(readColour(original.pixels, a))
      if (seen.copy.size < 2) seen.copy.add(readColour(copy.pixels, b))
    }
  }
  const pixels = rows * columns
  return {
    differing: pixels === 0 ? 0 : different / pixels,
    isBlanked: seen.original.size > 1 && seen.copy.size === 1,
  }
}

function isDifferent(a: Uint8Array, at: number, b: Uint8Array, bt: number): boolean {
  return (
    Math.abs(a[at]! - b[bt]!) > CHANNEL_TOLERANCE ||
    Math.abs(a[at + 1]! - b[bt + 1]!) > CHANNEL_TOLERANCE ||
    Math.abs(a[at + 2]! - b[bt + 2]!) > CHANNEL_TOLERANCE
  )
}

function readColour(pixels: Uint8Array, at: number): number {
  return (pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!
}
