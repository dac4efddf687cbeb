import { readProc } from './read-proc.ts'

/**
 * Resident memory of a process in bytes. The kernel's count: V8's own limits know nothing of buffers and of what native
 * libraries take.
 * @returns undefined where there is no /proc, and for a process that has ended.
 */
export function readResidentMemory(processId: number): number | undefined {
  return readSize(processId, /^VmRSS:\s+(\d+) kB$/m)
}

/**
 * The most that was ever resident of a process, in bytes.
 * @returns undefined as above.
 */
export function readPeakMemory(processId: number): number | undefined {
  return readSize(processId, /^VmHWM:\s+(\d+) kB$/m)
}

function readSize(processId: number, line: RegExp): number | undefined {
  const kilobytes = line.exec(readProc(processId, 'status') ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}
