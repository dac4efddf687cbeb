import type { Terminal } from './terminal.ts'

const TELL_EVERY_MS = 5000

/** @returns what takes how many are done, and says so now and then. */
export function openProgress(terminal: Terminal, all: number, what: string): (done: number) => void {
  let toldAt = Date.now()
  return (done) => {
    if (Date.now() - toldAt < TELL_EVERY_MS) return
    toldAt = Date.now()
    terminal.out(`${done} of ${all} ${what}`)
  }
}
