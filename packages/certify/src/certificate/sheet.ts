import { PAGE_HEIGHT, PAGE_WIDTH } from './canvas.ts'

/** Measures that all certificate pages share, in points. */
export const MARGIN = 46
export const LABEL = { size: 7.4, leading: 11 }
export const VALUE = { size: 10, leading: 14 }
export const WIDTH = PAGE_WIDTH - 2 * MARGIN
/** Nothing but the stamp stands below. */
export const CONTENT_BOTTOM = PAGE_HEIGHT - 44

interface Column {
  x: number
  width: number
  align: 'start' | 'end'
}

const RIGHT = MARGIN + WIDTH

export const TABLE_COLUMNS = {
  number: { x: MARGIN, width: 22, align: 'start' },
  name: { x: MARGIN + 28, width: 268, align: 'start' },
  type: { x: RIGHT - 196, width: 36, align: 'start' },
  size: { x: RIGHT - 160, width: 52, align: 'end' },
  pages: { x: RIGHT - 104, width: 34, align: 'end' },
  range: { x: RIGHT - 66, width: 66, align: 'end' },
} as const satisfies Record<string, Column>
