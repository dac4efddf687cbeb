import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What is to be run, and what is known of how it ended. */
export interface SmallRun {
  file: string
  args: readonly string[]
  timeoutMs: number
  maxBytes: number
}

export interface SmallEnd {
  /** Exit code, or -1 where the program was ended or could not be started. */
  code: number
  output: Uint8Array
  errors: Uint8Array
}

export type Asked = SmallRun & { id: number; env: NodeJS.ProcessEnv; cwd: string }
export type Answered = SmallEnd & { id: number }

const STARTER = fileURLToPath(new URL('small-starter.ts', import.meta.url))

let starter: ChildProcess | undefined
let last = 0
const waiting = new Map<number, PromiseWithResolvers<SmallEnd>>()

/**
 * Runs a program from a process that is small. To start one, the system copies what it knows of the memory of whoever starts it:
 * 25 ms of processor time in a test that has drawn pages, and two there.
 */
export function startSmall(run: SmallRun): Promise<SmallEnd> {
  starter ??= openStarter()
  const id = ++last
  const end = Promise.withResolvers<SmallEnd>()
  waiting.set(id, end)
  starter.channel?.ref()
  starter.send({ ...run, id, env: process.env, cwd: process.cwd() } satisfies Asked)
  return end.promise
}

function openStarter(): ChildProcess {
  const child = fork(STARTER, {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // Nobody waits for it: it goes with this process, and keeps it only while something runs.
  child.unref()
  child.on('message', ({ id, ...end }: Answered) => {
    waiting.get(id)?.resolve(end)
    waiting.delete(id)
    if (waiting.size === 0) child.channel?.unref()
  })
  child.once('exit', () => {
    starter = undefined
    for (const end of waiting.values()) end.reject(new Error('what starts programs for tests has ended'))
    waiting.clear()
  })
  return child
}
