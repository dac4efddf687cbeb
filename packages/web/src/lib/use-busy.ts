import { useCallback, useRef, useState } from 'react'

/** Of a form whose dialog must know whether it works. */
export interface Working {
  busy: boolean
  run: <T>(work: () => Promise<T>) => Promise<T | undefined>
}

/**
 * One piece of work at a time: while it runs `busy` is true and further starts are ignored, even two in one tick,
 * before the button had a chance to be disabled. `run` hands on what the work returns, undefined when it was ignored.
 */
export function useBusy(): [busy: Working['busy'], run: Working['run']] {
  const [busy, setBusy] = useState(false)
  const isRunning = useRef(false)
  const run = useCallback(async <T>(work: () => Promise<T>) => {
    if (isRunning.current) return undefined
    isRunning.current = true
    setBusy(true)
    try {
      return await work()
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }, [])
  return [busy, run]
}
