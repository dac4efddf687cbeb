import { SUCCESS_BANNER_MS } from '@proofdesk/contract/limits'
import { useCallback, useEffect, useState } from 'react'
import { SuccessBanner } from './banner.tsx'

/** `turn` tells one from the same words said before. */
export interface Success {
  text: string
  turn: number
}

/** @returns the success to show and what tells the next one; each vanishes after 3 seconds */
export function usePassingSuccess(): [success: Success | undefined, tell: (text: string) => void] {
  const [success, setSuccess] = useState<Success>()
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    if (!success) return
    const timer = setTimeout(() => setIsOver(true), SUCCESS_BANNER_MS)
    return () => clearTimeout(timer)
  }, [success])
  const tell = useCallback((text: string) => {
    setIsOver(false)
    setSuccess((before) => ({ text, turn: (before?.turn ?? 0) + 1 }))
  }, [])
  return [isOver ? undefined : success, tell]
}

/**
 * A success banner over the foot of the screen, so that nothing moves when it comes and goes. Its place is there before: what
 * comes together with its words is not read out everywhere.
 */
export function PassingSuccess({ success }: { success: Success | undefined }) {
  return (
    <output className="fixed inset-x-4 bottom-5 z-30 mx-auto block w-fit rounded-control shadow-pop lg:start-54">
      {success && <SuccessBanner key={success.turn} text={success.text} />}
    </output>
  )
}
