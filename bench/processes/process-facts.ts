import { readdirSync, readFileSync } from 'node:fs'

/** Of the clock that Linux counts processor time by: `getconf CLK_TCK`, 100 everywhere. */
const TICKS_PER_SECOND = 100

/** What a process and all it has started have had of the processors; 0 where there is no /proc. */
export function readCpuSeconds(pid: number): number {
  return sumTree(pid, (one) => {
    const stat = readFileSync(`/proc/${one}/stat`, 'utf8')
    // After the name, which may hold anything: utime and stime are the 14th and 15th field (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  })
}

/** What a process and all it has started hold in memory, MiB; pages that several hold are counted once for each. */
export function readMemoryMb(pid: number): number {
  return sumTree(pid, (one) => {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1]
    return Number(kib ?? 0) / 1024
  })
}

/** The same of the one process alone. */
export function readOwnMemoryMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function sumTree(pid: number, read: (pid: number) => number): number {
  try {
    return listTree(pid).reduce((sum, one) => sum + read(one), 0)
  } catch {
    // A process that has just ended, or another system than Linux.
    return 0
  }
}

function listTree(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(listTree)]
}
