import { nameFailure } from './logger.ts'

/**
 * Does one after the other. One that fails keeps none from its turn.
 * @throws what it failed with, once all have had theirs; of several the first, and the names of all
 */
export async function doEach(tasks: Iterable<() => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = []
  for (const task of tasks)
    try {
      await task()
    } catch (error) {
      failures.push(error)
    }
  throwFailures(failures)
}

/** The same for what is done at once. */
export async function doAtOnce(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const ends = await Promise.allSettled(tasks.map(async (task) => task()))
  throwFailures(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : [])))
}

function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return
  if (failures.length === 1) throw failures[0]
  throw new Error(`several failed: ${failures.map(nameFailure).join(', ')}`, { cause: failures[0] })
}
