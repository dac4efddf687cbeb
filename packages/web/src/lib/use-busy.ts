import { useCallback, useRef, useState } from 'react'

/**
 * One piece of work at a time: while it runs `busy` is true and further starts are ignored, even two in one tick,
 * before the button had a chance to be disabled.
 */
export function useBusy(): [busy: boolean, run: (work: () => Promise<void>) => Promise<void>] {
  const [busy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const run = useCallback(async (work: () => Promise<void>) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    try {
      await work()
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }, [])
  return [busy, run]
}
