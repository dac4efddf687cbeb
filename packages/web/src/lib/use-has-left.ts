import { useCallback, useEffect, useRef } from 'react'

/** @returns what tells whether the screen is gone by then, for answers that come late */
export function useHasLeft(): () => boolean {
  const hasLeft = useRef(false)
  useEffect(() => {
    hasLeft.current = false
    return () => {
      hasLeft.current = true
    }
  }, [])
  return useCallback(() => hasLeft.current, [])
}
