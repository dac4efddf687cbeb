/**
 * Of many who want the same done, each gets a run that began after they asked, and those who ask meanwhile share the next.
 * @returns what asks for a run.
 */
export function shareTurns<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= current.then(() => {
      const mine = run()
      current = mine.catch(() => undefined)
      next = undefined
      return mine
    })
    return next
  }
}
