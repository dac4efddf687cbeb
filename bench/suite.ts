import type { Instances } from './instances.ts'
import type { Effort } from './options.ts'
import type { Running } from './processes/running.ts'
import type { SuiteReport } from './report/figure.ts'

/** What a suite is given. */
export interface Bench {
  effort: Effort
  instances: Instances
  /** Tells whoever waits what is going on. */
  say(line: string): void
}

export type Suite = (bench: Bench) => Promise<Omit<SuiteReport, 'suite'>>

/** Stops servers when the work is over, whatever comes of it. */
export async function withServers<T>(
  starts: readonly (() => Promise<Running>)[],
  work: (...servers: Running[]) => Promise<T>,
): Promise<T> {
  const started: Running[] = []
  try {
    for (const start of starts) started.push(await start())
    return await work(...started)
  } finally {
    for (const server of started) await server.stop()
  }
}
