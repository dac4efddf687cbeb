import { useCallback, useState } from 'react'
import { readPersonId } from '../lib/session.ts'
import { useHasLeft } from '../lib/use-has-left.ts'
import { showToast } from './toast.ts'

/**
 * For what is answered after its screen was left, as by the browser's Back: it is told where the person is by then, and to
 * nobody else. While the screen stands it tells by itself.
 */
export function useToastOnceLeft(): typeof showToast {
  const hasLeft = useHasLeft()
  const [person] = useState(readPersonId)
  return useCallback<typeof showToast>(
    (text, kind) => {
      if (hasLeft() && readPersonId() === person) showToast(text, kind)
    },
    [hasLeft, person],
  )
}
