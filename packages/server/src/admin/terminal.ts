import type { Readable } from 'node:stream'
import type { Environment } from '../config/config.ts'

/** Where a command speaks, and what it reads. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  input: Readable
  /** The settings. */
  environment: Environment
}

/** The command line was not understood; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
