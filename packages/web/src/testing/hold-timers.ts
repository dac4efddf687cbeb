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

/**
 * Holds back what is done every so often, so that a test need not wait for it.
 * @param lengths Of the intervals, in milliseconds.
 * @returns what lets each of them pass once
 */
export function holdIntervals(...lengths: number[]): () => void {
  const running = new Map<unknown, () => void>()
  const { setInterval: set, clearInterval: clear } = globalThis
  const setting = vi.spyOn(globalThis, 'setInterval').mockImplementation((run: () => void, ms?: number) => {
    if (ms === undefined || !lengths.includes(ms)) return set(run, ms)
    const id = set(() => {}, ms)
    running.set(id, run)
    return id
  })
  const clearing = vi.spyOn(globalThis, 'clearInterval').mockImplementation((id) => {
    running.delete(id)
    clear(id)
  })
  onTestFinished(() => {
    setting.mockRestore()
    clearing.mockRestore()
  })
  return () => {
    for (const run of running.values()) run()
  }
}
