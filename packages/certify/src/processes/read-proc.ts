import { closeSync, openSync, readSync } from 'node:fs'

/** More than the files of a process that are read here ever hold. */
const ROOM = Buffer.alloc(8192)

/**
 * One of the files that the kernel writes about a process. It comes from memory, in less time than handing the reading over to a
 * thread takes, and into the same room each time: `readFile` takes 64 kB for each file whose size is not known.
 * @returns undefined where there is no /proc, and for a process that has ended.
 */
export function readProc(processId: number, name: 'stat' | 'status'): string | undefined {
  try {
    const file = openSync(`/proc/${processId}/${name}`, 'r')
    try {
      return ROOM.toString('latin1', 0, readSync(file, ROOM, 0, ROOM.length, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
