import type { Outline } from './compact-outline.ts'
import { refuseProgram } from './compact-tables.ts'

/** Limits and numbers of operators: Adobe Type 1 Font Format, chapter 6. */
const MOST_OPERANDS = 24
const MOST_CALLS = 10
const MOST_OPERATORS = 1 << 14
const FARTHEST = 32_000
const ESCAPE = 12
const ESCAPED = 256
const WIDTH = 13
const WIDTH_AND_HEIGHT = ESCAPED + 7
const END = 14
const RETURN = 11
const CALL = 10
const CALL_OTHER = ESCAPED + 16
const POP = ESCAPED + 17
const SET_POINT = ESCAPED + 33
const DIVIDE = ESCAPED + 12
const PARTS = ESCAPED + 6
/** Operands of the operators that draw, and of those for hints. */
const DRAWN = new Map([
  [5, 2],
  [6, 1],
  [7, 1],
  [8, 6],
  [30, 4],
  [31, 4],
])
const MOVES = new Map([
  [4, 1],
  [21, 2],
  [22, 1],
])
const HINTS = new Map([
  [1, 2],
  [3, 2],
  [ESCAPED, 0],
  [ESCAPED + 1, 6],
  [ESCAPED + 2, 6],
])
/** Procedures of a font for bends that are nearly straight, for other hints, and for counters. */
const BEND = { begin: 1, add: 2, end: 0 }
const OTHER_HINTS = 3
const COUNTERS = new Set([12, 13])

interface Following {
  subroutines: readonly (Buffer | undefined)[]
  stack: number[]
  /** What procedures hand back. */
  returned: number[]
  x: number
  y: number
  /** Points of a bend, while there is one. */
  bend: number | undefined
  mayPlace: boolean
  hasWidth: boolean
  hasPoint: boolean
  hasEnded: boolean
  operators: number
  outline: { isShown: boolean; parts: Outline['parts'] }
}

/**
 * Follows the operators of a glyph as far as all readers follow them alike.
 * @throws Refusal `unreadable`.
 */
export function followType1Outline(code: Buffer, subroutines: readonly (Buffer | undefined)[]): Outline {
  const outline: Following['outline'] = { isShown: false, parts: undefined }
  const state = {
    bend: undefined,
    mayPlace: false,
    hasWidth: false,
    hasPoint: false,
    hasEnded: false,
    operators: 0,
    outline,
  }
  const following: Following = { subroutines, stack: [], returned: [], x: 0, y: 0, ...state }
  follow(following, code, 0)
  if (!following.hasEnded) refuseProgram('a glyph without an end')
  return outline
}

function follow(glyph: Following, code: Buffer, depth: number): void {
  if (depth > MOST_CALLS) refuseProgram('subroutines that are called too deeply')
  let at = 0
  const next = (): number => code[at++] ?? refuseProgram('a glyph that ends within an operator')
  while (at < code.length) {
    // what stands behind the end of a subroutine that ends the glyph nobody reads
    if (glyph.hasEnded) return depth > 0 ? undefined : refuseProgram('a glyph that goes on behind its end')
    const byte = next()
    if (byte >= 32) {
      glyph.stack.push(readNumber(byte, next))
      if (glyph.stack.length > MOST_OPERANDS) refuseProgram('too many operands in a glyph')
      continue
    }
    if (++glyph.operators > MOST_OPERATORS) refuseProgram('a glyph without measure')
    if (byte === RETURN) return depth > 0 ? undefined : refuseProgram('a glyph that returns to nothing')
    const operator = byte === ESCAPE ? ESCAPED + next() : byte
    if (operator === CALL) {
      const subroutine = glyph.subroutines[glyph.stack.pop() ?? -1]
      follow(glyph, subroutine ?? refuseProgram('a subroutine that is missing'), depth + 1)
    } else run(glyph, operator)
  }
}

function readNumber(byte: number, next: () => number): number {
  if (byte <= 246) return byte - 139
  if (byte <= 250) return (byte - 247) * 256 + next() + 108
  if (byte <= 254) return -(byte - 251) * 256 - next() - 108
  return (next() << 24) | (next() << 16) | (next() << 8) | next()
}

function run(glyph: Following, operator: number): void {
  const { stack } = glyph
  if (operator === DIVIDE) {
    const [divided = Number.NaN, by = Number.NaN] = stack.splice(-2)
    const result = divided / by
    stack.push(Number.isFinite(result) ? result : refuseProgram('a calculation without a result'))
    return
  }
  if (operator === CALL_OTHER) return callOther(glyph)
  if (operator === POP) {
    stack.push(glyph.returned.pop() ?? refuseProgram('a glyph that takes what is not there'))
    return
  }
  if (operator === WIDTH || operator === WIDTH_AND_HEIGHT) beginGlyph(glyph, operator)
  else if (!glyph.hasWidth) refuseProgram('a glyph without a width')
  else if (HINTS.has(operator)) take(stack, HINTS.get(operator)!)
  else if (MOVES.has(operator)) move(glyph, operator)
  else if (DRAWN.has(operator)) draw(glyph, operator)
  else if (operator === SET_POINT && glyph.mayPlace) take(stack, 2)
  else if (operator === 9) take(stack, 0)
  else if (operator === PARTS) {
    take(stack, 5)
    if (glyph.outline.isShown) refuseProgram('a glyph of parts with an outline of its own')
    glyph.outline.parts = [stack[3]!, stack[4]!]
    glyph.hasEnded = true
  } else if (operator === END) {
    take(stack, 0)
    glyph.hasEnded = true
  } else refuseProgram('a glyph with operators that not all readers know')
  stack.length = 0
  glyph.mayPlace = false
}

function take(stack: readonly number[], due: number): void {
  if (stack.length !== due || stack.some((value) => !(Math.abs(value) <= FARTHEST)))
    refuseProgram('operands of a glyph that are not as many as they must be')
}

function beginGlyph(glyph: Following, operator: number): void {
  take(glyph.stack, operator === WIDTH ? 2 : 4)
  if (glyph.hasWidth) refuseProgram('a glyph that begins twice')
  glyph.hasWidth = true
  glyph.x = glyph.stack[0]!
  if (operator === WIDTH_AND_HEIGHT) glyph.y = glyph.stack[1]!
}

function move(glyph: Following, operator: number): void {
  const { stack } = glyph
  take(stack, MOVES.get(operator)!)
  go(glyph, operator === 4 ? 0 : stack[0]!, operator === 22 ? 0 : stack.at(-1)!)
  if (glyph.bend === undefined) glyph.hasPoint = true
}

function draw(glyph: Following, operator: number): void {
  const { stack } = glyph
  take(stack, DRAWN.get(operator)!)
  if (!glyph.hasPoint || glyph.bend !== undefined) refuseProgram('an outline that does not begin')
  glyph.outline.isShown = true
  const [a, b, c, d] = stack as [number, number, number, number]
  if (operator === 6) go(glyph, a, 0)
  else if (operator === 7) go(glyph, 0, a)
  else if (operator === 30) go(glyph, b + d, a + c)
  else if (operator === 31) go(glyph, a + b, c + d)
  else for (let i = 0; i < stack.length; i += 2) go(glyph, stack[i]!, stack[i + 1]!)
}

function go(glyph: Following, dx: number, dy: number): void {
  glyph.x += dx
  glyph.y += dy
  if (!(Math.abs(glyph.x) <= FARTHEST && Math.abs(glyph.y) <= FARTHEST)) refuseProgram('a glyph that is too large')
}

/** Procedures of the font, which readers know by their numbers (chapter 8). */
function callOther(glyph: Following): void {
  const { stack } = glyph
  const [count = -1, number = -1] = stack.splice(-2)
  if (number === BEND.begin && count === 0 && glyph.bend === undefined && glyph.hasPoint) glyph.bend = 0
  else if (number === BEND.add && count === 0 && glyph.bend !== undefined) glyph.bend++
  else if (number === BEND.end && count === 3 && glyph.bend === 7) {
    const [, x = 0, y = 0] = stack.splice(-3)
    glyph.bend = undefined
    glyph.mayPlace = true
    glyph.returned = [y, x]
    glyph.outline.isShown = true
  } else if (number === OTHER_HINTS && count === 1 && stack.length > 0) glyph.returned = [stack.pop()!]
  else if (COUNTERS.has(number) && count === stack.length) stack.length = 0
  else refuseProgram('procedures that not all readers know')
}
