import type { Model, Operation } from './history.ts'

/**
 * The same question as `findOrder`, answered by trying every order there is: for histories of a few operations, to judge the
 * judge by. Shares nothing with it.
 */
export function hasOrder<Call, State>(model: Model<Call, State>, operations: readonly Operation<Call>[]): boolean {
  return tryAll(model, model.initial, operations)
}

function tryAll<Call, State>(model: Model<Call, State>, state: State, left: readonly Operation<Call>[]): boolean {
  if (left.every(({ ended }) => ended === undefined)) return true
  return left.some((operation) => {
    // Whatever was answered before this one was called comes first.
    if (left.some(({ ended }) => ended !== undefined && ended < operation.began)) return false
    const next = model.step(state, operation.call)
    if (next === undefined) return false
    return tryAll(
      model,
      next,
      left.filter((other) => other !== operation),
    )
  })
}
