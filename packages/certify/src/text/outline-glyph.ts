import { formatPoints } from '../pdf/format-points.ts'
import type { Typeface } from './typefaces.ts'

/**
 * Path operators that fill the glyph with its origin at x and y, in the current fill colour.
 * @param size Text size in points.
 */
export function outlineGlyph(face: Typeface, glyph: number, x: number, y: number, size: number): string {
  const path = readPath(face, glyph)
  if (path === '') return ''
  const scale = (size / face.unitsPerEm).toFixed(6)
  return `q ${scale} 0 0 ${scale} ${formatPoints(x)} ${formatPoints(y)} cm\n${path}f Q\n`
}

/** In font units. Quadratic curves become cubic ones, which are all that PDF has. */
function readPath(face: Typeface, glyph: number): string {
  let path = ''
  let at: [number, number] = [0, 0]
  for (const { type, values } of face.font.glyphToJson(glyph)) {
    if (type === 'Z') {
      path += 'h\n'
      continue
    }
    const end: [number, number] = [values.at(-2)!, values.at(-1)!]
    if (type === 'Q') {
      const [x, y] = values as [number, number]
      const near = [at[0] + (2 / 3) * (x - at[0]), at[1] + (2 / 3) * (y - at[1])]
      const far = [end[0] + (2 / 3) * (x - end[0]), end[1] + (2 / 3) * (y - end[1])]
      path += `${[...near, ...far, ...end].map(Math.round).join(' ')} c\n`
    } else path += `${values.map(Math.round).join(' ')} ${type === 'M' ? 'm' : type === 'L' ? 'l' : 'c'}\n`
    at = end
  }
  return path
}
