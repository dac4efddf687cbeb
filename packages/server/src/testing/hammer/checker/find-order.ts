import type { Model, Operation } from './history.ts'

/** What came of looking for an order in which operations may have taken effect. */
export type Verdict<Call> =
  | { kind: 'linearizable'; order: Operation<Call>[] }
  /** `furthest`: the longest order that still explains every answer in it; `stuck`: what had been answered by then and fits nowhere. */
  | { kind: 'not linearizable'; furthest: Operation<Call>[]; stuck: Operation<Call> }
  | { kind: 'undecided'; steps: number }

/** So many steps of a model take seconds; no history of one object needs them unless its intervals are hopelessly long. */
const MAX_STEPS = 1_000_000

/** A call or an answer in the list of what has not been put into the order yet. */
interface Moment<Call> {
  operation: Operation<Call>
  index: number
  isCall: boolean
  before: Moment<Call> | undefined
  after: Moment<Call> | undefined
  /** Of a call: its answer, where there is one. */
  answer: Moment<Call> | undefined
}

/**
 * Looks for an order of the operations on one object in which each takes effect at one moment between its call and its
 * answer, and every answer is the model's: linearizability (Herlihy and Wing, 1990).
 *
 * The search is that of Wing and Gong (1993): put the next possible operation into the order, go back when an answer comes
 * up whose operation fits nowhere. With Lowe's memory (2017) no set of operations is tried twice from one state. Operations
 * whose answer nobody knows are put in only where they change something, and need not be put in at all.
 */
export function findOrder<Call, State>(
  model: Model<Call, State>,
  operations: readonly Operation<Call>[],
  maxSteps = MAX_STEPS,
): Verdict<Call> {
  const first = listMoments(operations)
  let unanswered = operations.filter(({ ended }) => ended !== undefined).length
  let state = model.initial
  let key = model.keyOf(state)
  let done = 0n
  let steps = 0
  const seen = new Set([`0 ${key}`])
  const taken: { call: Moment<Call>; state: State; key: string }[] = []
  let furthest: Operation<Call>[] = []
  let stuck: Operation<Call> | undefined

  let at = first.after
  while (unanswered > 0) {
    if (at?.isCall) {
      if (++steps > maxSteps) return { kind: 'undecided', steps }
      const next = tryCall(at)
      if (next) {
        taken.push({ call: at, state, key })
        ;({ state, key } = next)
        done |= 1n << BigInt(at.index)
        lift(at)
        if (at.answer) unanswered -= 1
        at = first.after
      } else at = at.after
      continue
    }
    // An answer whose operation is not in the order: something earlier was put in wrongly.
    if (at && (stuck === undefined || taken.length > furthest.length)) {
      furthest = taken.map(({ call }) => call.operation)
      stuck = at.operation
    }
    const last = taken.pop()
    if (!last) return { kind: 'not linearizable', furthest, stuck: stuck! }
    ;({ state, key } = last)
    done &= ~(1n << BigInt(last.call.index))
    if (last.call.answer) unanswered += 1
    putBack(last.call)
    at = last.call.after
  }
  return { kind: 'linearizable', order: taken.map(({ call }) => call.operation) }

  /** @returns undefined where it could not come next, or where that was tried before. */
  function tryCall(moment: Moment<Call>): { state: State; key: string } | undefined {
    const next = model.step(state, moment.operation.call)
    if (next === undefined) return undefined
    const nextKey = model.keyOf(next)
    if (!moment.answer && nextKey === key) return undefined
    const place = `${(done | (1n << BigInt(moment.index))).toString(36)} ${nextKey}`
    if (seen.has(place)) return undefined
    seen.add(place)
    return { state: next, key: nextKey }
  }
}

/** In the order of time, a call before an answer of the same moment: they may have overlapped. @returns a head before the first. */
function listMoments<Call>(operations: readonly Operation<Call>[]): Moment<Call> {
  const make = (operation: Operation<Call>, index: number, isCall: boolean): Moment<Call> => ({
    operation,
    index,
    isCall,
    before: undefined,
    after: undefined,
    answer: undefined,
  })
  const moments = operations.flatMap((operation, index) => {
    const call = make(operation, index, true)
    if (operation.ended === undefined) return [{ time: operation.began, moment: call }]
    call.answer = make(operation, index, false)
    return [
      { time: operation.began, moment: call },
      { time: operation.ended, moment: call.answer },
    ]
  })
  moments.sort((a, b) => a.time - b.time || Number(b.moment.isCall) - Number(a.moment.isCall))
  const head: Moment<Call> = { ...make(operations[0]!, -1, true) }
  let last = head
  for (const { moment } of moments) {
    last.after = moment
    moment.before = last
    last = moment
  }
  return head
}

/** Takes a call and its answer out of the list; `putBack`, in the opposite order, puts them where they were. */
function lift<Call>(call: Moment<Call>): void {
  for (const moment of [call, call.answer]) {
    if (!moment) continue
    if (moment.before) moment.before.after = moment.after
    if (moment.after) moment.after.before = moment.before
  }
}

function putBack<Call>(call: Moment<Call>): void {
  for (const moment of [call.answer, call]) {
    if (!moment) continue
    if (moment.before) moment.before.after = moment
    if (moment.after) moment.after.before = moment
  }
}
