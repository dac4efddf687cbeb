import type { Effort } from '../options.ts'
import type { Running } from '../processes/running.ts'
import type { LoadPlan } from './plan.ts'
import { runLoad, type Measured } from './run-load.ts'

export interface Contestant {
  server: Pick<Running, 'pid' | 'port' | 'name'>
  plan: Omit<LoadPlan, 'port' | 'lasts'>
  /** Statuses of right answers; 200 when absent. */
  expected?: readonly number[]
}

/** Measures each in turn, round after round, so that what else the machine does meets all of them alike. */
export async function interleave<Name extends string>(
  { rounds, lasts, warmsUp }: Pick<Effort, 'rounds' | 'lasts' | 'warmsUp'>,
  contestants: Record<Name, Contestant>,
): Promise<Record<Name, Measured[]>> {
  const names = Object.keys(contestants) as Name[]
  const measured = Object.fromEntries(names.map((name) => [name, [] as Measured[]])) as Record<Name, Measured[]>
  const run = (name: Name, ms: number) => {
    const { server, plan, expected } = contestants[name]
    return runLoad(server, { ...plan, lasts: ms }, expected)
  }
  if (warmsUp > 0) for (const name of names) await run(name, warmsUp)
  for (let round = 0; round < rounds; round += 1) for (const name of names) measured[name].push(await run(name, lasts))
  return measured
}
