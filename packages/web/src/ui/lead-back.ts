import { useLayoutEffect } from 'react'
import { rememberPlace } from './go-on-at-heading.ts'

/**
 * In what opens over a screen: closing it leads back to the control that opened it, and where that is gone by then, to the
 * heading of where it stood.
 */
export function LeadBack(): null {
  useLayoutEffect(() => {
    // What opens takes the focus a frame later.
    const lead = rememberPlace(document.activeElement ?? document.body)
    // Closing gives the focus back by itself first.
    return () => void setTimeout(lead)
  }, [])
  return null
}
