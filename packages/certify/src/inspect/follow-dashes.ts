/** How lines are dashed, as far as that can be too short to be seen. */
export interface Dashes {
  /** A dash and all that follows until the next like it, in the unit of the content; 0 for lines that are whole. */
  period: number
  saved: number[]
  start: number
}

/**
 * Points of the page. Where all dashes of a line are shorter, the reviewer's reader shows ever less of it, and others all of it: of
 * 0.02 points it shows a third, of 0.004 nothing.
 */
const LEAST_PERIOD = 0.02

const DRAWING = new Set(['S', 's', 'B', 'B*', 'b', 'b*', 'Tj', 'TJ', "'", '"'])
const OPERATORS = new Set([...DRAWING, 'q', 'Q', 'd', 'gs'])

export const isDashOperator = (operator: string): boolean => OPERATORS.has(operator)

/** @param start What is set where content begins. */
export const startDashes = (start = 0): Dashes => ({ period: start, saved: [], start })

/**
 * @param read What the operator sets: the period of `d`, and that of a graphics state, undefined where that sets none.
 * @param scale To the page, in the direction in which it is least; undefined where it is not known.
 * @returns what is wrong.
 */
export function followDashes(
  dashes: Dashes,
  operator: string,
  read: () => number | undefined,
  scale: number | undefined,
): string | undefined {
  if (operator === 'q') dashes.saved.push(dashes.period)
  else if (operator === 'Q') dashes.period = dashes.saved.pop() ?? dashes.start
  else if (operator === 'd' || operator === 'gs') dashes.period = read() ?? dashes.period
  else if (dashes.period > 0 && scale !== undefined && dashes.period * scale < LEAST_PERIOD)
    return 'dashes that are too short'
  return undefined
}

/** The numbers of the array before an operand. */
export const readDashes = (content: Buffer, array: number, end: number): number[] =>
  content
    .toString('latin1', array + 1, content.lastIndexOf(0x5d, end))
    .split(/[\0\t\n\f\r ]+/)
    .filter(Boolean)
    .map(Number)
