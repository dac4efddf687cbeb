import type { Space } from '../drawing/read-paint.ts'
import type { Chosen, Colours } from './follow-colours.ts'

const AREAS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const LINES = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])
const LETTERS = new Set(['Tj', 'TJ', "'", '"'])
/** Of letters, by their mode (ISO 32000-2 table 104). */
const FILLED = new Set([0, 2, 4, 6])
const OUTLINED = new Set([1, 2, 5, 6])

export const isPaintingOperator = (operator: string): boolean =>
  operator === 'sh' || AREAS.has(operator) || LINES.has(operator) || LETTERS.has(operator)

/**
 * @param mode In which letters are shown.
 * @param isTile It paints a tile.
 * @returns what is wrong with the patterns that an operator paints with. Within tiles, and chosen outside of the form, they begin elsewhere to
 *   each reader. PDFium draws lines with a pattern before the area within them; outlines of letters are black in Poppler then, and where the
 *   letters have a pattern within, the reviewer's reader draws none.
 */
export function findPaintFault(
  { fill, stroke }: Colours,
  operator: string,
  { mode, isTile }: { mode: number; isTile: boolean },
): string | undefined {
  if (operator === 'sh') return isTile ? 'a gradient within a tile' : undefined
  const isLetters = LETTERS.has(operator)
  const fills = isLetters ? FILLED.has(mode) : AREAS.has(operator)
  const strokes = isLetters ? OUTLINED.has(mode) : LINES.has(operator)
  const [area, line] = [fills && fill?.kind === 'pattern', strokes && stroke?.kind === 'pattern']
  if (isTile && (area || line)) return 'a pattern within a tile'
  if ((area && isFromOutside(fill)) || (line && isFromOutside(stroke)))
    return 'a pattern that was chosen outside of the form'
  if (isLetters && strokes && (area || line)) return 'outlines of letters with a pattern'
  return line && fills ? 'lines with a pattern around an area' : undefined
}

/** The reviewer's reader paints a stencil of one pixel black with a pattern; Poppler what lies between tiles. */
export function findStencilFault({ fill }: Colours, isPixel: boolean): string | undefined {
  const isRefused = fill?.kind === 'pattern' && (isPixel || fill.isTile === true || isFromOutside(fill))
  return isRefused ? 'a stencil that is painted with a pattern' : undefined
}

/** Where such a pattern begins, each reader says otherwise. */
const isFromOutside = (space: Space | undefined): boolean => space?.isFromOutside === true

/** As a form that is drawn there begins. */
export const passOn = (chosen: Chosen): Chosen => ({
  ...chosen,
  fill: passSpaceOn(chosen.fill),
  stroke: passSpaceOn(chosen.stroke),
})

const passSpaceOn = (space: Space | undefined): Space | undefined =>
  space?.kind === 'pattern' ? { ...space, isFromOutside: true } : space
