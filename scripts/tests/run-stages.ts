import type { Stage } from './stages.ts'

/** Beside one that waits for its slowest file, or for something that takes its time, another keeps the cores busy. */
const AT_ONCE = 2

/**
 * Runs stages side by side, the longest first so that none is left to run by itself in the end, and then, one by one, those that
 * want the machine for themselves.
 */
export async function runStages(stages: readonly Stage[], run: (stage: Stage) => Promise<void>): Promise<void> {
  const waiting = stages.filter(({ isAlone }) => !isAlone).toSorted((a, b) => b.usualMinutes - a.usualMinutes)
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await run(next)
    }),
  )
  for (const stage of stages) if (stage.isAlone) await run(stage)
}
