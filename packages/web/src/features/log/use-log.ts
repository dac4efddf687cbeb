import { useEffect, useState } from 'react'
import { readLog } from './read-log.ts'

type ReadLog = Awaited<ReturnType<typeof readLog>>

/** Reads and checks the log when the screen opens, and when it is told to. `failed` when it could not be read. */
export function useLog(): { log: ReadLog | 'failed' | undefined; readAgain: () => void } {
  const [log, setLog] = useState<ReadLog | 'failed'>()
  const [reading, setReading] = useState(readLog)
  useEffect(() => {
    let isCurrent = true
    reading.then(
      (read) => isCurrent && setLog(read),
      (error: unknown) => {
        console.error('The log could not be read', error)
        if (isCurrent) setLog('failed')
      },
    )
    return () => {
      isCurrent = false
    }
  }, [reading])
  const readAgain = () => {
    setLog(undefined)
    setReading(readLog())
  }
  return { log, readAgain }
}
