import { readFile } from 'node:fs/promises'

/**
 * Resident memory of a process in bytes. The kernel's count: V8's own limits know nothing of buffers and of what native
 * libraries take.
 * @returns undefined where there is no /proc, and for a process that has ended.
 */
export async function readResidentMemory(processId: number): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${processId}/status`, 'latin1')
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
