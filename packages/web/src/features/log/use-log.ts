import { useEffect, useState } from 'react'
import { readLog } from './read-log.ts'

type Outcome = Awaited<ReturnType<typeof readLog>> | 'failed'

/** Reads and checks the log when the screen opens, and when it is told to. `failed` when it could not be read. */
export function useLog(): { log: Outcome | undefined; readAgain: () => void } {
  const [log, setLog] = useState<Outcome>()
  const [reading, setReading] = useState(tryToRead)
  useEffect(() => {
    let isCurrent = true
    void reading.then((read) => isCurrent && setLog(read))
    return () => {
      isCurrent = false
    }
  }, [reading])
  const readAgain = () => {
    setLog(undefined)
    setReading(tryToRead())
  }
  return { log, readAgain }
}

/** Never fails: a screen that was left before it was shown asks for no outcome. */
async function tryToRead(): Promise<Outcome> {
  try {
    return await readLog()
  } catch (error) {
    console.error('The log could not be read', error)
    return 'failed'
  }
}
