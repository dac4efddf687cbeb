import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { readCpuSeconds } from '../processes/process-facts.ts'
import { spawnPinned } from '../processes/pinned.ts'
import type { Running } from '../processes/running.ts'
import type { LoadPlan, LoadResult } from './plan.ts'

const SEND = join(import.meta.dirname, 'send.ts')
const MARGIN_MS = 200

export interface Measured extends LoadResult {
  /** Answers a second. */
  rate: number
  /** Answers for each second that the server's processors worked; 0 where the system does not tell. */
  perCpuSecond: number
}

/** Somebody who stands at the door: everything but the sending is done. */
export interface ReadyLoad {
  /** @throws where an answer is not one that was expected. */
  send(): Promise<Measured>
}

type Target = Pick<Running, 'pid' | 'port' | 'name'>

/** Prepares to send, in a process of its own, on the core that is kept for it. @param expected Statuses of right answers. */
export async function prepareLoad(
  server: Target,
  plan: Omit<LoadPlan, 'port'>,
  expected: readonly number[] = [200],
): Promise<ReadyLoad> {
  const child = spawnPinned('load', process.execPath, [SEND, JSON.stringify({ ...plan, port: server.port })])
  const [lines, errors] = [createInterface(child.stdout)[Symbol.asyncIterator](), text(child.stderr)]
  const readLine = async () => {
    const { value } = await lines.next()
    if (value === undefined) throw new Error(`sending to ${server.name} failed: ${(await errors).trim()}`)
    return value
  }
  await readLine()
  return {
    send: async () => {
      const before = readCpuSeconds(server.pid)
      child.stdin.end('go')
      const result = JSON.parse(await readLine()) as LoadResult
      const cpuSeconds = readCpuSeconds(server.pid) - before
      const wrong = Object.entries(result.statuses).filter(([status]) => !expected.includes(Number(status)))
      if (wrong.length > 0 || result.count === 0)
        throw new Error(`${server.name} answered ${plan.requests[0]?.path} with ${JSON.stringify(result.statuses)}`)
      return {
        ...result,
        rate: result.count / result.seconds,
        perCpuSecond: cpuSeconds > 0 ? result.count / cpuSeconds : 0,
      }
    },
  }
}

/** @throws as `prepareLoad` and its `send`. */
export async function runLoad(...what: Parameters<typeof prepareLoad>): Promise<Measured> {
  return (await prepareLoad(...what)).send()
}

/** Looks how long one kind of call takes while others work: they begin together, and who works goes on a little longer. */
export async function lookWhile(
  server: Target,
  look: Omit<LoadPlan, 'port'>,
  work: Omit<LoadPlan, 'port' | 'lasts'>,
): Promise<{ looked: Measured; worked: Measured }> {
  const looking = await prepareLoad(server, look)
  const working = await prepareLoad(server, { ...work, lasts: look.lasts + MARGIN_MS })
  const [worked, looked] = await Promise.all([working.send(), looking.send()])
  return { looked, worked }
}
