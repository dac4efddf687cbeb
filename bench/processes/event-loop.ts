import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const WATCH = join(import.meta.dirname, 'watch-event-loop.ts')

/** How late the event loop of a server was since it was last asked, ms. */
export interface EventLoopDelay {
  p50: number
  p99: number
  p999: number
  max: number
}

/** Watches the event loop of a server from inside. */
export function watchEventLoop() {
  const folder = mkdtempSync(join(tmpdir(), 'proofdesk-event-loop-'))
  const path = join(folder, 'delay.json')
  return {
    /** Before the server's own file. */
    nodeArgs: ['--import', WATCH],
    env: { PROOFDESK_BENCH_EVENT_LOOP: path },
    read: async (pid: number): Promise<EventLoopDelay> => {
      const watching = watch(folder)
      process.kill(pid, 'SIGUSR2')
      for (;;) {
        await once(watching, 'change')
        try {
          const delay = JSON.parse(readFileSync(path, 'utf8')) as EventLoopDelay
          watching.close()
          return delay
        } catch {
          // Not written to its end yet: another change follows.
        }
      }
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}
