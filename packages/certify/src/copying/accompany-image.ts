import { readOperators } from '../layers/content-operators.ts'
import { type Box, isEnding, type Matrix, multiply, UNCHANGED } from '../pdf/simple-path.ts'

/** By so much of its own size an image may lie beyond the box. */
const OVERHANG = 0.01
const WORDS = new Set(['Tj', 'TJ', "'", '"'])

/**
 * PDFium shows a letter that is one image whole, whatever it is cut to.
 * @param content What is drawn within the box.
 * @returns a rectangle beside the box, which nobody sees, where the image is cut; else nothing.
 */
export function accompanyImage(content: string, box: Box): string {
  let matrix = UNCHANGED
  const saved: Matrix[] = []
  let images = 0
  let isCut = false
  for (const { name, operands } of readOperators(Buffer.from(content, 'latin1'))) {
    if (name === 'q') saved.push(matrix)
    else if (name === 'Q') matrix = saved.pop() ?? UNCHANGED
    else if (name === 'cm') matrix = multiply(operands.map(({ text }) => Number(text)) as unknown as Matrix, matrix)
    else if (name === 'W' || name === 'W*') isCut = true
    else if (name === 'BI' || name === 'Do') {
      images++
      if (!isWithin(matrix, box)) isCut = true
    } else if (WORDS.has(name) || (isEnding(name) && name !== 'n')) return ''
  }
  if (images !== 1 || !isCut) return ''
  const [left, foot, right, head] = box
  const [width, height] = [Math.abs(right - left), Math.abs(head - foot)]
  return `${Math.max(left, right) + width} ${Math.min(foot, head)} ${width} ${height} re f\n`
}

/** Whether an image of a unit in both directions lies in the box. */
function isWithin([a, b, c, d, e, f]: Matrix, [left, foot, right, head]: Box): boolean {
  const isBetween = (values: readonly number[], one: number, other: number): boolean => {
    const [least, most] = [Math.min(...values), Math.max(...values)]
    const spare = (most - least) * OVERHANG
    return least >= Math.min(one, other) - spare && most <= Math.max(one, other) + spare
  }
  return isBetween([e, e + a, e + c, e + a + c], left, right) && isBetween([f, f + b, f + d, f + b + d], foot, head)
}
