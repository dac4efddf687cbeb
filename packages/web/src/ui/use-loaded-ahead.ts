import { useEffect } from 'react'

/**
 * Loads code that may be needed next once the screen stands: not before, so that the screen does not wait for it, and
 * not only when it is needed, when the connection may be gone.
 */
export function useLoadedAhead(load: () => Promise<unknown>): void {
  useEffect(() => {
    // Tried again, and told, when it is needed.
    load().catch(() => {})
  }, [load])
}
