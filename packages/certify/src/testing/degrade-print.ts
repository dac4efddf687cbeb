import sharp from 'sharp'

/** What became of a page between the printer and the file that somebody hands in. */
export interface Wear {
  dpi: number
  /** Degrees, clockwise. */
  turn: number
  /** Standard deviation of the blur, in pixels of that resolution. */
  blur: number
  /** Share of the contrast that is left, and where its darkest value lies from 0 to 255. */
  contrast: number
  black: number
  /** Ellipses, in parts of the width of the page. */
  stains: { x: number; y: number; width: number; height: number; colour: string; opacity: number }[]
}

/** Whole numbers below a bound, the same each time. Numerical Recipes, section 7.1. */
export function startNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const COLOURS = ['#7a5a30', '#333333', '#aa3333', '#2266aa']

/**
 * Draws what happens to one print: turned by up to 10°, blurred by 0.3 to 0.8 pixels, paled to as little as 55 % of its contrast, up
 * to three stains of coffee, ink or a stamp that let something shine through, and on every third one spot that does not.
 * @param place Where the code stands, in parts of the width of the page: stains fall on it.
 */
export function drawWear(
  next: (below: number) => number,
  dpi: number,
  place: { x: number; y: number; size: number },
): Wear {
  const between = (least: number, most: number) => least + ((most - least) * next(10_000)) / 10_000
  const contrast = between(0.55, 1)
  const stain = (least: number, most: number, opacity: number) => ({
    x: place.x + between(0, place.size),
    y: place.y + between(0, place.size),
    width: between(least, most),
    height: between(least, most),
    colour: COLOURS[next(COLOURS.length)]!,
    opacity,
  })
  // an A4 page is 210 mm wide
  const stains = Array.from({ length: next(4) }, () => stain(2 / 210, 10 / 210, between(0.15, 0.5)))
  if (next(3) === 0) stains.push(stain(1 / 210, 3 / 210, 1))
  return {
    dpi,
    turn: between(-10, 10),
    blur: between(0.3, 0.8),
    contrast,
    black: between(0, 255 * (1 - contrast)),
    stains,
  }
}

/** @param page A page in the resolution of `wear`. @returns a grey JPEG of quality 30. */
export async function degradePrint(page: Buffer, { turn, blur, contrast, black, stains }: Wear): Promise<Buffer> {
  const { width, height } = await sharp(page).metadata()
  const drawn = stains.map(
    (one) =>
      `<ellipse cx="${one.x * width}" cy="${one.y * width}" rx="${(one.width * width) / 2}" ry="${(one.height * width) / 2}" ` +
      `fill="${one.colour}" fill-opacity="${one.opacity}"/>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn.join('')}</svg>`
  const stained = await sharp(page)
    .composite([{ input: Buffer.from(svg) }])
    .png()
    .toBuffer()
  const turned = await sharp(stained).rotate(turn, { background: '#f0ede5' }).png().toBuffer()
  return sharp(turned).greyscale().blur(blur).linear(contrast, black).jpeg({ quality: 30 }).toBuffer()
}
