import { refuseProgram } from './compact-tables.ts'

/** What the outlines of a glyph may call (Adobe technical note 5177, section 4.7). */
export interface Subroutines {
  own: readonly Buffer[]
  shared: readonly Buffer[]
}

/** A glyph as it was followed. */
export interface Outline {
  /** It paints something. */
  isShown: boolean
  /** It is made of the glyphs of two codes of the standard encoding. */
  parts: readonly [base: number, accent: number] | undefined
}

/** Beyond these some readers stop (Adobe technical note 5177, appendix B). */
const MOST_OPERANDS = 48
const MOST_CALLS = 10
const MOST_HINTS = 96
/** Far more than a glyph has; each may call others again and again. */
const MOST_OPERATORS = 1 << 18
/** Readers keep places in sixteen bits. */
const FARTHEST = 32_000
const ESCAPE = 12
const RETURN = 11
const END = 14

interface Following {
  subroutines: Subroutines
  stack: number[]
  hints: number
  x: number
  y: number
  hasWidth: boolean
  hasPoint: boolean
  isShown: boolean
  parts: Outline['parts']
  hasEnded: boolean
  operators: number
}

/**
 * Follows the operators of a glyph in the compact form as far as all readers follow them alike: what else such a glyph may hold,
 * calculations among them, shows a glyph to some and nothing to others.
 * @throws Refusal `unreadable`.
 */
export function followOutline(code: Buffer, subroutines: Subroutines): Outline {
  const state = { x: 0, y: 0, hasWidth: false, hasPoint: false, isShown: false, parts: undefined, hasEnded: false }
  const following: Following = { subroutines, stack: [], hints: 0, operators: 0, ...state }
  follow(following, code, 0)
  if (!following.hasEnded) {
    // an end that is missing is one to all
    if (following.stack.length > 0) refuseProgram('a glyph without an end')
  }
  return { isShown: following.isShown, parts: following.parts }
}

function follow(glyph: Following, code: Buffer, depth: number): void {
  if (depth > MOST_CALLS) refuseProgram('subroutines that are called too deeply')
  let at = 0
  const next = (): number => code[at++] ?? refuseProgram('a glyph that ends within an operator')
  while (at < code.length) {
    if (glyph.hasEnded) refuseProgram('a glyph that goes on behind its end')
    const byte = next()
    if (byte >= 32 || byte === 28) {
      glyph.stack.push(readNumber(byte, next))
      if (glyph.stack.length > MOST_OPERANDS) refuseProgram('too many operands in a glyph')
      continue
    }
    if (++glyph.operators > MOST_OPERATORS) refuseProgram('a glyph without measure')
    if (byte === RETURN) {
      if (depth === 0) refuseProgram('a glyph that returns to nothing')
      return
    }
    if (byte === 10 || byte === 29) {
      const list = byte === 10 ? glyph.subroutines.own : glyph.subroutines.shared
      const number =
        (glyph.stack.pop() ?? Number.NaN) + (list.length < 1240 ? 107 : list.length < 33_900 ? 1131 : 32_768)
      follow(glyph, list[number] ?? refuseProgram('a subroutine that is missing'), depth + 1)
    } else if (byte === 19 || byte === 20) {
      noteHints(glyph)
      for (let mask = 0; mask < (glyph.hints + 7) >> 3; mask++) next()
    } else run(glyph, byte === ESCAPE ? ESCAPED + next() : byte)
  }
}

function readNumber(byte: number, next: () => number): number {
  if (byte === 28) return (((next() << 8) | next()) << 16) >> 16
  if (byte <= 246) return byte - 139
  if (byte <= 250) return (byte - 247) * 256 + next() + 108
  if (byte <= 254) return -(byte - 251) * 256 - next() - 108
  return ((next() << 24) | (next() << 16) | (next() << 8) | next()) / 65_536
}

const ESCAPED = 256
const STEMS = new Set([1, 3, 18, 23])

function run(glyph: Following, operator: number): void {
  const { stack } = glyph
  if (STEMS.has(operator)) noteHints(glyph)
  else if (operator === END) end(glyph)
  else if (MOVES.has(operator)) move(glyph, operator)
  // a dot that keeps its shape; nobody heeds it any longer
  else if (operator === ESCAPED) stack.length = 0
  else {
    if (!glyph.hasPoint) refuseProgram('an outline that does not begin')
    const steps = STEPS[operator]?.(stack)
    if (steps === undefined) refuseProgram('a glyph with operators that not all readers know')
    for (const [dx, dy] of steps) go(glyph, dx, dy)
    glyph.isShown = true
    stack.length = 0
  }
}

/** The first operator that takes all operands may have one more, the width. */
function takeWidth(glyph: Following, isThere: boolean): void {
  if (isThere && glyph.hasWidth) refuseProgram('too many operands in a glyph')
  if (isThere) glyph.stack.shift()
  glyph.hasWidth = true
}

function noteHints(glyph: Following): void {
  takeWidth(glyph, glyph.stack.length % 2 === 1)
  glyph.hints += glyph.stack.length / 2
  if (glyph.hints > MOST_HINTS) refuseProgram('too many hints in a glyph')
  glyph.stack.length = 0
}

function end(glyph: Following): void {
  const { stack } = glyph
  takeWidth(glyph, stack.length === 1 || stack.length === 5)
  if (stack.length === 4) glyph.parts = [stack[2]!, stack[3]!]
  else if (stack.length > 0) refuseProgram('too many operands in a glyph')
  if (glyph.parts !== undefined && glyph.isShown) refuseProgram('a glyph of parts with an outline of its own')
  glyph.hasEnded = true
}

const MOVES = new Map([
  [4, 1],
  [21, 2],
  [22, 1],
])

function move(glyph: Following, operator: number): void {
  const { stack } = glyph
  const due = MOVES.get(operator)!
  takeWidth(glyph, stack.length === due + 1)
  if (stack.length !== due) refuseProgram('operands of a glyph that are not as many as they must be')
  go(glyph, operator === 4 ? 0 : stack[0]!, operator === 22 ? 0 : stack.at(-1)!)
  glyph.hasPoint = true
  stack.length = 0
}

function go(glyph: Following, dx: number, dy: number): void {
  glyph.x += dx
  glyph.y += dy
  if (!(Math.abs(glyph.x) <= FARTHEST && Math.abs(glyph.y) <= FARTHEST)) refuseProgram('a glyph that is too large')
}

type Steps = readonly (readonly [dx: number, dy: number])[]

/** Where lines and curves lead, point by point; undefined where the operands are not as many as they must be. */
const STEPS: Record<number, (stack: readonly number[]) => Steps | undefined> = {
  5: (stack) => (stack.length > 0 && stack.length % 2 === 0 ? pair(stack) : undefined),
  6: (stack) => alternate(stack, true),
  7: (stack) => alternate(stack, false),
  8: (stack) => (stack.length > 0 && stack.length % 6 === 0 ? pair(stack) : undefined),
  24: (stack) => (stack.length >= 8 && stack.length % 6 === 2 ? pair(stack) : undefined),
  25: (stack) => (stack.length >= 8 && stack.length % 2 === 0 ? pair(stack) : undefined),
  26: (stack) => bend(stack, false),
  27: (stack) => bend(stack, true),
  30: (stack) => turn(stack, false),
  31: (stack) => turn(stack, true),
  [ESCAPED + 34]: (stack) =>
    stack.length === 7
      ? pair([stack[0]!, 0, stack[1]!, stack[2]!, stack[3]!, 0, stack[4]!, 0, stack[5]!, -stack[2]!, stack[6]!, 0])
      : undefined,
  [ESCAPED + 35]: (stack) => (stack.length === 13 ? pair(stack.slice(0, 12)) : undefined),
  [ESCAPED + 36]: (stack) =>
    stack.length === 9
      ? pair([
          ...stack.slice(0, 5),
          0,
          stack[5]!,
          0,
          ...stack.slice(6, 8),
          stack[8]!,
          -(stack[1]! + stack[3]! + stack[7]!),
        ])
      : undefined,
  [ESCAPED + 37]: (stack) => (stack.length === 11 ? pair([...stack, 0]) : undefined),
}

const pair = (stack: readonly number[]): Steps =>
  Array.from({ length: stack.length / 2 }, (_, i) => [stack[2 * i]!, stack[2 * i + 1]!])

const alternate = (stack: readonly number[], isAcross: boolean): Steps | undefined =>
  stack.length === 0 ? undefined : stack.map((value, i) => ((i % 2 === 0) === isAcross ? [value, 0] : [0, value]))

function bend(stack: readonly number[], isAcross: boolean): Steps | undefined {
  const hasFirst = stack.length % 4 === 1
  if (stack.length < 4 || stack.length % 4 > 1) return undefined
  const steps: [number, number][] = []
  for (let at = hasFirst ? 1 : 0; at < stack.length; at += 4) {
    const aside = at === 1 ? stack[0]! : 0
    const [first, dx, dy, last] = stack.slice(at, at + 4) as [number, number, number, number]
    steps.push(isAcross ? [first, aside] : [aside, first], [dx, dy], isAcross ? [last, 0] : [0, last])
  }
  return steps
}

function turn(stack: readonly number[], beginsAcross: boolean): Steps | undefined {
  if (stack.length < 4 || stack.length % 4 > 1) return undefined
  const steps: [number, number][] = []
  let isAcross = beginsAcross
  for (let at = 0; at + 4 <= stack.length; at += 4) {
    const [first, dx, dy, last] = stack.slice(at, at + 4) as [number, number, number, number]
    const rest = stack.length - at === 5 ? stack.at(-1)! : 0
    steps.push(isAcross ? [first, 0] : [0, first], [dx, dy], isAcross ? [rest, last] : [last, rest])
    isAcross = !isAcross
  }
  return steps
}
