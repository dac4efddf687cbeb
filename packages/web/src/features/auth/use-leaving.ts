import { useEffect, useState } from 'react'

/**
 * Leaves the app for another site, once however often it is pressed. A browser may keep the page as it was left and
 * show it again on the way back: then it can be pressed again.
 */
export function useLeaving<T>(go: (to: T) => void): [leavingFor: T | undefined, leave: (to: T) => void] {
  const [leavingFor, setLeavingFor] = useState<T>()
  useEffect(() => {
    const handleShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setLeavingFor(undefined)
    }
    addEventListener('pageshow', handleShow)
    return () => removeEventListener('pageshow', handleShow)
  }, [])
  return [
    leavingFor,
    (to) => {
      if (leavingFor !== undefined) return
      setLeavingFor(to)
      go(to)
    },
  ]
}
