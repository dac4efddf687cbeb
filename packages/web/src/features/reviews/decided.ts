/** What a decision hands on to the dashboard by the history: the collection whose successor is offered there. */
export interface DecidedState {
  decidedId: number
}

/** @param state Of the history, where anything may stand. */
export function readDecided(state: unknown): number | undefined {
  if (typeof state !== 'object' || state === null || !('decidedId' in state)) return undefined
  return typeof state.decidedId === 'number' ? state.decidedId : undefined
}
