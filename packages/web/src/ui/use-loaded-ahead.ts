import { useEffect } from 'react'

/** Past it, code is loaded however busy the page is. */
const PATIENCE_MS = 2_000

/**
 * Loads code that may be needed next once the screen stands and has nothing else to do: not before, so that the screen
 * does not wait for it, and not only when it is needed, when the connection may be gone.
 */
export function useLoadedAhead(load: () => Promise<unknown>): void {
  useEffect(() => {
    // Tried again, and told, when it is needed.
    return whenIdle(() => void load().catch(() => {}))
  }, [load])
}

/** @returns what calls it off */
export function whenIdle(run: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(run)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: PATIENCE_MS })
  return () => cancelIdleCallback(handle)
}
