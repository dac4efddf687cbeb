import { constants } from 'node:os'

/** The last is of a terminal that was closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const held = new Set<{ letGo: () => Promise<void> }>()
let isEnding = false

/**
 * Lets a signal end the process only after this was let go of, and so that who listens to `exit` gets their turn. A second
 * signal waits for nobody.
 * @returns what forgets it.
 */
export function letGoBeforeSignal(letGo: () => Promise<void> = async () => {}): () => void {
  const entry = { letGo }
  if (held.size === 0) for (const signal of SIGNALS) process.on(signal, end)
  held.add(entry)
  return () => {
    if (held.delete(entry) && held.size === 0) for (const signal of SIGNALS) process.off(signal, end)
  }
}

function end(signal: (typeof SIGNALS)[number]): void {
  const exit = () => process.exit(128 + constants.signals[signal])
  if (isEnding) return exit()
  isEnding = true
  void Promise.allSettled([...held].map(({ letGo }) => letGo())).then(exit)
}
