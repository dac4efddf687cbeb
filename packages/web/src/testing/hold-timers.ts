import { onTestFinished, vi } from 'vitest'

/**
 * Holds back every timer of one length, so that a test can tell exactly that one from a shorter and from a longer one
 * without waiting for it.
 */
export function holdTimers(ms: number): { held: readonly (() => void)[]; release: () => void } {
  const held: (() => void)[] = []
  const { setTimeout: set } = globalThis
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, delay?: number) => {
    if (delay !== ms) return set(run, delay)
    held.push(run)
    return set(() => {}, 0)
  })
  onTestFinished(() => spy.mockRestore())
  return {
    held,
    release: () => {
      for (const run of held.splice(0)) run()
    },
  }
}
