import type { Readable } from 'node:stream'

/** Where a command speaks, and what it may read. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  input: Readable
}

/** The command line was not understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
