let take = (step: () => void): void => step()

/** For each step of the router: at once, or when what lies over the screen has left the history. */
export function stepFromScreen(step: () => void): void {
  take(step)
}

/** Apart from `layers.ts`, which comes once the screen stands. */
export function putOffSteps(by: (step: () => void) => void): void {
  take = by
}
