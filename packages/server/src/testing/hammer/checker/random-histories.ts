import type { Random } from '../seeded-random.ts'
import type { Model, Operation } from './history.ts'

/** One number that is read, written, and swapped where it is what one thinks. */
export type RegisterCall =
  | { kind: 'read'; value: number }
  | { kind: 'write'; value: number }
  | { kind: 'swap'; from: number; to: number; won: boolean }

export const register: Model<RegisterCall, number> = {
  initial: 0,
  keyOf: String,
  step: (state, call) => {
    if (call.kind === 'read') return call.value === state ? state : undefined
    if (call.kind === 'write') return call.value
    if (call.won !== (call.from === state)) return undefined
    return call.won ? call.to : state
  },
}

const VALUES = 3

/**
 * Operations that took effect one after the other, each within an interval that overlaps others; some without an answer, of
 * which some never took effect.
 */
export function recordRandom(random: Random, count: number): Operation<RegisterCall>[] {
  let state = register.initial
  const history = Array.from({ length: count }, (_, index): Operation<RegisterCall> => {
    const call = perform(random, state)
    const isUnanswered = call.kind !== 'read' && random.chance(0.2)
    const isLost = isUnanswered && random.chance(0.5)
    if (!isLost) state = register.step(state, call) ?? state
    const moment = index * 10
    return { call, began: moment - random.below(30), ended: isUnanswered ? undefined : moment + random.below(30) }
  })
  return history
}

function perform(random: Random, state: number): RegisterCall {
  const kind = random.pick(['read', 'write', 'swap'] as const)
  const [value, to] = [random.below(VALUES), random.below(VALUES)]
  if (kind === 'read') return { kind, value: state }
  if (kind === 'write') return { kind, value }
  return { kind, from: value, to, won: value === state }
}

/** The same history with one answer, or one interval, that is another. */
export function alterOne(random: Random, history: readonly Operation<RegisterCall>[]): Operation<RegisterCall>[] {
  const at = random.below(history.length)
  return history.map((operation, index) => {
    if (index !== at) return operation
    const { call, began } = operation
    if (random.chance(0.3)) return { ...operation, began: began - 15, ended: began - 10 }
    if (call.kind === 'swap') return { ...operation, call: { ...call, won: !call.won } }
    return { ...operation, call: { ...call, value: (call.value + 1 + random.below(VALUES - 1)) % VALUES } }
  })
}
