import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { findFreePort } from '@proofdesk/server/testing/free-ports'
import { spawnPinned, type Part } from './pinned.ts'

/** A server that listens at a port of this machine. */
export interface Running {
  name: string
  pid: number
  port: number
  stop(): Promise<void>
}

const START_PATIENCE_MS = 120_000
const LOOK_EVERY_MS = 5
/** The end of what a program said before it failed. */
const WORDS_KEPT = 2000

/** Starts a server on its cores and waits until it listens. @throws with its own words where it ends. */
export async function startServer(
  name: string,
  plan: (port: number) => { command: string; args: string[]; env?: NodeJS.ProcessEnv; cwd?: string },
  part: Part = 'server',
): Promise<Running> {
  const port = await findFreePort()
  const { command, args, ...options } = plan(port)
  const child = spawnPinned(part, command, args, options)
  let words = ''
  for (const output of [child.stdout, child.stderr])
    output.on('data', (piece: Buffer) => (words = (words + piece.toString()).slice(-WORDS_KEPT)))
  const ended = once(child, 'close')
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  for (const end = performance.now() + START_PATIENCE_MS; !(await isListening(port)); await pause(LOOK_EVERY_MS)) {
    if (hasEnded) throw new Error(`${name} ended before it listened: ${words.trim()}`)
    if (performance.now() > end) throw new Error(`${name} does not listen: ${words.trim()}`)
  }
  return {
    name,
    pid: child.pid ?? 0,
    port,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
