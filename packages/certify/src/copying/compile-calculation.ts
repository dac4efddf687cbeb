import { parseSteps, type Step } from './check-calculation.ts'

/** Truths are 0 and 1. */
type Stack = number[]
type Run = (stack: Stack) => void

const ONE: Record<string, (value: number) => number> = {
  abs: Math.abs,
  ceiling: Math.ceil,
  cos: (degrees) => Math.cos((degrees * Math.PI) / 180),
  cvi: Math.trunc,
  cvr: (value) => value,
  floor: Math.floor,
  ln: Math.log,
  log: Math.log10,
  neg: (value) => -value,
  not: (truth) => 1 - truth,
  round: (value) => Math.floor(value + 0.5),
  sin: (degrees) => Math.sin((degrees * Math.PI) / 180),
  sqrt: Math.sqrt,
  truncate: Math.trunc,
}
const TWO: Record<string, (one: number, other: number) => number> = {
  add: (one, other) => one + other,
  and: (one, other) => one * other,
  atan: (one, other) => ((Math.atan2(one, other) * 180) / Math.PI + 360) % 360,
  bitshift: (one, other) => (other > 0 ? one << other : one >> -other),
  div: (one, other) => one / other,
  eq: (one, other) => Number(one === other),
  exp: (one, other) => one ** other,
  ge: (one, other) => Number(one >= other),
  gt: (one, other) => Number(one > other),
  idiv: (one, other) => Math.trunc(one / other),
  le: (one, other) => Number(one <= other),
  lt: (one, other) => Number(one < other),
  mod: (one, other) => one % other,
  mul: (one, other) => one * other,
  ne: (one, other) => Number(one !== other),
  or: (one, other) => Math.max(one, other),
  sub: (one, other) => one - other,
  xor: (one, other) => Math.abs(one - other),
}

/** @param text A calculation that is sound (`isSoundCalculation`). What cannot be calculated is 0. */
export function compileCalculation(text: string): ((inputs: readonly number[]) => number[]) | undefined {
  const steps = parseSteps(text)
  if (steps === undefined) return undefined
  const run = compile(steps)
  return (inputs) => {
    const stack = [...inputs]
    run(stack)
    return stack.map((value) => (Number.isFinite(value) ? value : 0))
  }
}

function compile(steps: readonly Step[]): Run {
  const runs: Run[] = []
  for (const [i, step] of steps.entries()) {
    if (Array.isArray(step)) continue
    if (step === 'if') runs.push(compileBranch(steps[i - 1], []))
    else if (step === 'ifelse') runs.push(compileBranch(steps[i - 2], steps[i - 1]))
    else runs.push(compileWord(step))
  }
  return (stack) => {
    for (const run of runs) run(stack)
  }
}

function compileBranch(whenTrue: Step | undefined, whenFalse: Step | undefined): Run {
  const [yes, no] = [whenTrue, whenFalse].map((steps) => compile(Array.isArray(steps) ? steps : []))
  return (stack) => (stack.pop() === 1 ? yes! : no!)(stack)
}

function compileWord(word: string): Run {
  const one = Object.hasOwn(ONE, word) ? ONE[word] : undefined
  if (one !== undefined) return (stack) => stack.push(one(stack.pop()!))
  const two = Object.hasOwn(TWO, word) ? TWO[word] : undefined
  if (two !== undefined)
    return (stack) => {
      const other = stack.pop()!
      stack.push(two(stack.pop()!, other))
    }
  if (word === 'pop') return (stack) => stack.pop()
  if (word === 'dup') return (stack) => stack.push(stack.at(-1)!)
  if (word === 'exch') return (stack) => stack.push(stack.pop()!, stack.pop()!)
  if (word === 'copy') return (stack) => copyTop(stack, stack.pop()!)
  if (word === 'index') return (stack) => stack.push(stack.at(-1 - stack.pop()!)!)
  if (word === 'roll') return rollTop
  const value = word === 'true' ? 1 : word === 'false' ? 0 : Number(word)
  return (stack) => stack.push(value)
}

function copyTop(stack: Stack, count: number): void {
  if (count > 0) stack.push(...stack.slice(-count))
}

function rollTop(stack: Stack): void {
  const [turns, count] = [stack.pop()!, stack.pop()!]
  if (count === 0) return
  const start = stack.length - count
  const top = stack.slice(start)
  const by = ((turns % count) + count) % count
  for (let i = 0; i < count; i++) stack[start + ((i + by) % count)] = top[i]!
}
