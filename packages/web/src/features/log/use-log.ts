import { useEffect, useState } from 'react'
import { readLog, type BrokenLog, type CheckedLog } from './read-log.ts'

/** Reads and checks the log when the screen opens, and when it is told to. `failed` when it could not be read. */
export function useLog(): { log: CheckedLog | BrokenLog | 'failed' | undefined; readAgain: () => void } {
  const [log, setLog] = useState<CheckedLog | BrokenLog | 'failed'>()
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    let isCurrent = true
    readLog().then(
      (read) => isCurrent && setLog(read),
      (error: unknown) => {
        console.error('The log could not be read', error)
        if (isCurrent) setLog('failed')
      },
    )
    return () => {
      isCurrent = false
    }
  }, [turn])
  const readAgain = () => {
    setLog(undefined)
    setTurn(turn + 1)
  }
  return { log, readAgain }
}
