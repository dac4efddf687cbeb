import type { Model } from '../checker/history.ts'
import type { Answered, Told } from './collection-calls.ts'

export type CommentsCall =
  | { kind: 'comment'; text: string; answer: Told<string> }
  | { kind: 'see comments'; answer: Answered<string[]> }

/** The comments on one collection, which are only added to and do not depend on its state. */
export const commentsModel: Model<CommentsCall, readonly string[]> = {
  initial: [],
  keyOf: (state) => state.join('\n'),
  step: (state, call) => {
    // Who may see a collection may always comment on it; what refuses is away or busy.
    if (call.answer.told === 'refused') return MAY_REFUSE.has(call.answer.code) ? state : undefined
    if (call.kind === 'see comments')
      return call.answer.told === 'done' && call.answer.shown.toSorted().join('\n') === state.join('\n')
        ? state
        : undefined
    if (call.answer.told === 'done' && call.answer.shown !== call.text) return undefined
    return state.includes(call.text) ? undefined : [...state, call.text].sort()
  },
}

const MAY_REFUSE = new Set(['unreachable', 'not_signed_in', 'rate_limited', 'busy'])
