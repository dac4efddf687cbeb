/** What stands on the stack: a number or a truth, of which the value is known only where the text says it. */
interface Item {
  isTruth: boolean
  value: number | boolean | undefined
}
type Stack = Item[]

/** A word, or what stands between braces. */
export type Step = string | Step[]

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/
/** Operators by how many numbers they take and what they give (ISO 32000-2 table 42). */
const FROM_ONE = new Set('abs ceiling cos cvi cvr floor ln log neg round sin sqrt truncate'.split(' '))
const FROM_TWO = new Set('add atan bitshift div exp idiv mod mul sub'.split(' '))
const COMPARING = new Set('ge gt le lt'.split(' '))
const EQUAL = new Set(['eq', 'ne'])
const COMBINING = new Set('and or xor'.split(' '))
/** As many as readers have room for. */
const MOST_ITEMS = 100
const MOST_DEPTH = 32
/** Ways in which a calculation can have gone. */
const MOST_WAYS = 64

const NUMBER_ITEM: Item = { isTruth: false, value: undefined }
const TRUTH: Item = { isTruth: true, value: undefined }

/**
 * Follows a calculation of colours with what can be known of its stack. One that takes more than there is, leaves more than is asked for, or
 * gives a truth for a number, each reader ends in its own way (ISO 32000-2 section 7.10.5).
 * @returns whether it leaves exactly so many numbers, whatever the numbers that it begins with.
 */
export function isSoundCalculation(text: string, inputs: number, outputs: number): boolean {
  const program = parseSteps(text)
  const ends = program && follow(program, [Array.from({ length: inputs }, () => NUMBER_ITEM)])
  return ends?.every((stack) => stack.length === outputs && stack.every((item) => !item.isTruth)) ?? false
}

export function parseSteps(text: string): Step[] | undefined {
  const words = text.replaceAll(/%[^\r\n]*/g, ' ').match(/[{}]|[^\0\t\n\f\r {}]+/g) ?? []
  const open: Step[][] = [[]]
  for (const word of words) {
    if (word === '{') open.push([])
    else if (word === '}') {
      const steps = open.pop()!
      if (open.length === 0) return undefined
      open.at(-1)!.push(steps)
    } else open.at(-1)!.push(word)
    if (open.length > MOST_DEPTH) return undefined
  }
  const [program, ...more] = open[0] ?? []
  return open.length === 1 && more.length === 0 && Array.isArray(program) ? program : undefined
}

/** @returns the stacks that there can be afterwards; undefined where one of them is not sound. */
function follow(steps: readonly Step[], begin: readonly Stack[]): Stack[] | undefined {
  let stacks: Stack[] | undefined = begin.map((stack) => [...stack])
  for (const [i, step] of steps.entries()) {
    // read with the condition behind it
    if (Array.isArray(step)) {
      const [next, later] = [steps[i + 1], steps[i + 2]]
      if (next !== 'if' && later !== 'ifelse' && !(next === 'ifelse' && Array.isArray(steps[i - 1]))) return undefined
    } else if (step === 'if' || step === 'ifelse') {
      stacks = branch(step === 'if' ? [steps[i - 1], []] : [steps[i - 2], steps[i - 1]], stacks)
      if (stacks === undefined) return undefined
    } else if (!stacks.every((stack) => take(step, stack) && stack.length <= MOST_ITEMS)) return undefined
  }
  return stacks
}

/** Each way leaves its own stack, unless the truth that decides is known. */
function branch([whenTrue, whenFalse]: (Step | undefined)[], stacks: readonly Stack[]): Stack[] | undefined {
  if (!Array.isArray(whenTrue) || !Array.isArray(whenFalse)) return undefined
  const truths = stacks.map((stack) => stack.pop())
  if (!truths.every((truth) => truth?.isTruth === true)) return undefined
  const choose = (value: boolean): Stack[] => stacks.filter((_, i) => truths[i]!.value !== !value)
  const ends = [follow(whenTrue, choose(true)), follow(whenFalse, choose(false))]
  if (ends.some((end) => end === undefined)) return undefined
  const different = new Map(ends.flatMap((end) => end!.map((stack) => [JSON.stringify(stack), stack] as const)))
  return different.size <= MOST_WAYS ? [...different.values()] : undefined
}

function take(word: string, stack: Stack): boolean {
  if (NUMBER.test(word)) return stack.push({ isTruth: false, value: Number(word) }) > 0
  if (word === 'true' || word === 'false') return stack.push({ isTruth: true, value: word === 'true' }) > 0
  if (word === 'pop') return stack.pop() !== undefined
  if (word === 'dup') return copyTop(stack, 1)
  if (word === 'exch') return rollTop(stack, 2, 1)
  if (word === 'neg') return stack.at(-1)?.isTruth === false && stack.push(negate(stack.pop()!)) > 0
  if (FROM_ONE.has(word)) return replaceTop(stack, 1, NUMBER_ITEM)
  if (FROM_TWO.has(word)) return replaceTop(stack, 2, NUMBER_ITEM)
  if (COMPARING.has(word)) return replaceTop(stack, 2, TRUTH)
  if (EQUAL.has(word)) return areAlike(stack) && stack.splice(-2, 2, TRUTH).length === 2
  // of whole numbers they combine bits, and the reviewer's reader does otherwise
  if (word === 'not') return stack.at(-1)?.isTruth === true && stack.push(negate(stack.pop()!)) > 0
  if (COMBINING.has(word)) return areAlike(stack) && stack.at(-1)!.isTruth && stack.splice(-2, 2, TRUTH).length === 2
  return moveByFigures(word, stack)
}

function negate({ isTruth, value }: Item): Item {
  if (typeof value === 'number') return { isTruth, value: -value }
  return { isTruth, value: value === undefined ? undefined : !value }
}
const areAlike = (stack: Stack): boolean => stack.length >= 2 && stack.at(-1)!.isTruth === stack.at(-2)!.isTruth

/** Numbers alone. */
function replaceTop(stack: Stack, count: number, item: Item): boolean {
  const taken = stack.splice(-count, count, item)
  return taken.length === count && taken.every(({ isTruth }) => !isTruth)
}

/** Those that take as many items as a number says, which must be written in the text. */
function moveByFigures(word: string, stack: Stack): boolean {
  if (word !== 'copy' && word !== 'index' && word !== 'roll') return false
  const turns = word === 'roll' ? takeWhole(stack) : 0
  const count = takeWhole(stack)
  if (count === undefined || turns === undefined || count < 0) return false
  if (word === 'copy') return copyTop(stack, count)
  if (word === 'roll') return rollTop(stack, count, turns)
  const item = stack.at(-1 - count)
  return item !== undefined && stack.length > count && stack.push(item) > 0
}

function takeWhole(stack: Stack): number | undefined {
  const value = stack.pop()?.value
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined
}

function copyTop(stack: Stack, count: number): boolean {
  if (stack.length < count) return false
  if (count > 0) stack.push(...stack.slice(-count))
  return true
}

function rollTop(stack: Stack, count: number, turns: number): boolean {
  if (stack.length < count) return false
  if (count === 0) return true
  const top = stack.splice(-count)
  const by = ((turns % count) + count) % count
  stack.push(...top.slice(count - by), ...top.slice(0, count - by))
  return true
}
