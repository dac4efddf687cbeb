import { readProc } from './read-proc.ts'

/** Linux counts in hundredths of a second, whatever the processor (proc(5), sysconf(_SC_CLK_TCK)). */
const TICK_MS = 10

/**
 * Processor time that a process has taken so far, in milliseconds, all its threads together.
 * @returns undefined where there is no /proc, and for a process that has ended.
 */
export function readProcessorTime(processId: number): number | undefined {
  const line = readProc(processId, 'stat')
  if (line === undefined) return undefined
  // the second field is the program's name, in brackets, and may hold anything
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isFinite(ticks) ? ticks * TICK_MS : undefined
}
