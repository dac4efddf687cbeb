import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** Keeps SQLite's log short without holding up who commits: moving its pages into the database waits for the disk twice. */
export interface Checkpoints {
  /** To be called now and then; takes microseconds. Never throws: who has committed is not to be told otherwise. */
  look(): void
  close(): Promise<void>
}

export interface CheckpointLimits {
  /** Pages of 4 kB in the log, beyond those that were moved, from which on they are. SQLite's own measure. */
  movedFrom: number
  /**
   * Pages in the log from which on SQLite moves them itself, within a commit: then the thread was away or could not follow, and little
   * is left to move. The log grows no longer than this where no long read keeps it.
   */
  movedAtOnceFrom: number
  /** A thread that was asked nothing for so long is ended, in milliseconds. */
  idleMs: number
}

export const CHECKPOINT_LIMITS: CheckpointLimits = { movedFrom: 1000, movedAtOnceFrom: 8000, idleMs: 60_000 }

/** What SQLite tells of its log, in pages; https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
interface LogState {
  log: number
  checkpointed: number
}

/**
 * @param path Of a database in WAL mode.
 * @param writing The connection that writes; what it commits is moved by a thread, which is started when there is enough.
 */
export function openCheckpoints(path: string, writing: DatabaseSync, limits = CHECKPOINT_LIMITS): Checkpoints {
  writing.exec(`pragma wal_autocheckpoint = ${limits.movedAtOnceFrom}`)
  const tell = writing.prepare('pragma wal_checkpoint(noop)')
  let thread: Worker | undefined
  let isMoving = false
  let isClosed = false
  let end: NodeJS.Timeout | undefined

  function startThread(): Worker {
    const started = new Worker(new URL('checkpoint-thread.ts', import.meta.url), { workerData: path })
    const forget = () => {
      if (thread !== started) return
      thread = undefined
      isMoving = false
    }
    started.unref()
    started.on('message', () => {
      isMoving = false
      end = setTimeout(() => {
        forget()
        void started.terminate()
      }, limits.idleMs).unref()
    })
    // One that cannot be started, for want of memory for instance: another is at the next look.
    started.on('error', forget).on('exit', forget)
    return started
  }

  /** @throws what SQLite says, or that no thread can be started. */
  function moveWhatIsLong(): void {
    const { log, checkpointed } = tell.get() as unknown as LogState
    if (log - checkpointed < limits.movedFrom) return
    clearTimeout(end)
    thread ??= startThread()
    thread.postMessage(null)
    isMoving = true
  }

  return {
    look: () => {
      if (isMoving || isClosed) return
      try {
        if (!writing.isTransaction) moveWhatIsLong()
      } catch {
        // The log only stays longer: SQLite moves it itself where no thread does, and the next look tries once more.
      }
    },
    close: async () => {
      isClosed = true
      clearTimeout(end)
      await thread?.terminate()
    },
  }
}
