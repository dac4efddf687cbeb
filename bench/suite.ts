import type { Instances } from './instances.ts'
import type { Effort, FilledOnPostgres } from './options.ts'
import type { Running } from './processes/running.ts'
import type { SuiteReport } from './report/figure.ts'

/** What a suite is given. */
export interface Bench {
  effort: Effort
  instances: Instances
  largeOnPostgres: FilledOnPostgres | undefined
}

export type Suite = (bench: Bench) => Promise<Omit<SuiteReport, 'suite'>>

export type StartServer = () => Promise<Running>

/** As many as are started; undefined where there was nothing to start. */
type Started<Starts extends readonly (StartServer | undefined)[]> = {
  [Place in keyof Starts]: Starts[Place] extends StartServer ? Running : Running | undefined
}

/** Stops servers when the work is over, whatever comes of it. */
export async function withServers<const Starts extends readonly (StartServer | undefined)[], T>(
  starts: Starts,
  work: (...servers: Started<Starts>) => Promise<T>,
): Promise<T> {
  const started: (Running | undefined)[] = []
  try {
    for (const start of starts) started.push(await start?.())
    return await work(...(started as unknown as Started<Starts>))
  } finally {
    for (const server of started) await server?.stop()
  }
}
