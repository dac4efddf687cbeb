/**
 * One operation on one object: when it was called and answered, and what was asked and told.
 * @template Call What was asked, and what the answer said.
 */
export interface Operation<Call> {
  call: Call
  /** By one clock for all operations that never goes back, in milliseconds. */
  began: number
  /** undefined: nobody knows whether it took effect. It may at any time after it began, or never. */
  ended: number | undefined
}

/**
 * How one object behaves when operations come one after the other.
 * @template State A plain value that is never changed in place.
 */
export interface Model<Call, State> {
  initial: State
  /** The state after an operation that was answered so; undefined when it could not have been answered so. */
  step(state: State, call: Call): State | undefined
  /** Equal for states that behave alike, and for no others. */
  keyOf(state: State): string
}
