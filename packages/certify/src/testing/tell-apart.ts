import type { AreaPicture } from './four-readers.ts'

/** Of 255: other renderers set letters and edges otherwise, and know other blacks. */
const MAX_DIFFERENCE = 100
/** Of 1200: where the stems of letters stand. */
const MAX_DIFFERENT = 9
/** Of 255: the white of an image that is drawn smaller is 254 to Poppler. */
const PAPER = 254
/** Of all ink on the page; a missing word is more, another font is less. */
const MAX_INK_SHARE = 0.35

/** @returns in what another reader's picture is not what the reviewer saw; undefined when they are alike. */
export function tellApart(picture: AreaPicture, reviewed: AreaPicture): string | undefined {
  const { reader } = picture
  if (Math.abs(picture.width / picture.height - reviewed.width / reviewed.height) >= 0.02)
    return `${reader}: another page`
  const different = picture.areas.filter((value, i) => Math.abs(value - reviewed.areas[i]!) > MAX_DIFFERENCE).length
  if (different > MAX_DIFFERENT) return `${reader}: ${different} areas differ`
  const [ink, most] = [countInk(picture), countInk(reviewed)].toSorted((a, b) => a - b) as [number, number]
  if (most - ink > most * MAX_INK_SHARE) return `${reader}: ${countInk(picture)} ink instead of ${countInk(reviewed)}`
  return undefined
}

const countInk = ({ areas }: AreaPicture): number => areas.reduce((sum, value) => sum + Math.max(0, PAPER - value), 0)
