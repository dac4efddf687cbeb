import { readFileSync, writeFileSync } from 'node:fs'

const LOOK_MS = 20

/** Watches how large processes become. Numbers are bytes; 0 where the machine has no /proc. */
export interface MemoryWatch {
  /** Forgets what was before. */
  start(): void
  /** The largest resident size of any of the processes since `start`. */
  stop(): number
}

/**
 * The kernel's own high-water mark, so that nothing is missed between two looks.
 * @param processIds The processes to watch, asked at every look: a pool may replace one.
 */
export function watchMemory(processIds: () => number[]): MemoryWatch {
  let peakBytes = 0
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    for (const id of processIds()) peakBytes = Math.max(peakBytes, readPeak(id))
  }
  return {
    start() {
      peakBytes = 0
      for (const id of processIds()) forgetPeak(id)
      timer = setInterval(look, LOOK_MS)
    },
    stop() {
      clearInterval(timer)
      look()
      return peakBytes
    },
  }
}

function readPeak(processId: number): number {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${processId}/status`, 'latin1'))?.[1]
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

function forgetPeak(processId: number): void {
  try {
    // proc(5): 5 sets the high-water mark back to the present size
    writeFileSync(`/proc/${processId}/clear_refs`, '5')
  } catch {
    // then the mark is that of the largest file so far: too high, never too low
  }
}
