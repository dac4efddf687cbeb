/** How a call ended, for code that has to go on after `useBusy` let go. */
export type Outcome<T> = { isDone: true; value: T } | { isDone: false; error: unknown }

export async function attempt<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { isDone: true, value: await work }
  } catch (error) {
    return { isDone: false, error }
  }
}
