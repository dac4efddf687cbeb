import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { readCpuSeconds } from '../processes/process-facts.ts'
import { spawnPinned } from '../processes/pinned.ts'
import type { Running } from '../processes/running.ts'
import type { LoadPlan, LoadResult } from './plan.ts'

const SEND = join(import.meta.dirname, 'send.ts')

export interface Measured extends LoadResult {
  /** Answers a second. */
  rate: number
  /** Answers for each second that the server's processors worked; 0 where the system does not tell. */
  perCpuSecond: number
}

/** Sends in a process of its own, on the cores that are kept for it. @throws where an answer is not one of `expected`. */
export async function runLoad(
  server: Pick<Running, 'pid' | 'port' | 'name'>,
  plan: Omit<LoadPlan, 'port'>,
  expected: readonly number[] = [200],
): Promise<Measured> {
  const before = readCpuSeconds(server.pid)
  const child = spawnPinned('load', process.execPath, [SEND, JSON.stringify({ ...plan, port: server.port })])
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (out === '') throw new Error(`sending to ${server.name} failed: ${errors.trim()}`)
  const cpuSeconds = readCpuSeconds(server.pid) - before
  const result = JSON.parse(out) as LoadResult
  const wrong = Object.entries(result.statuses).filter(([status]) => !expected.includes(Number(status)))
  if (wrong.length > 0 || result.count === 0)
    throw new Error(`${server.name} answered ${plan.requests[0]?.path} with ${JSON.stringify(result.statuses)}`)
  return {
    ...result,
    rate: result.count / result.seconds,
    perCpuSecond: cpuSeconds > 0 ? result.count / cpuSeconds : 0,
  }
}
