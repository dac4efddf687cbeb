import { Worker } from 'node:worker_threads'
import { type ErrorData, unpackError } from '../error-data.ts'
import { CertifyError } from '../errors.ts'
import type { Seal, SealRequest } from '../types.ts'

export interface SealingThreadData {
  keysDir: string
  passphrase: string | undefined
}

export type SealingAnswer = { id: number; seal: Seal } | { id: number; error: ErrorData }

interface Waiting {
  resolve: (seal: Seal) => void
  reject: (error: CertifyError) => void
}

export interface SealingThread {
  seal(request: SealRequest): Promise<Seal>
  close(): Promise<void>
}

/** The thread starts with the first seal and is started again should it ever end. */
export function openSealingThread(data: SealingThreadData): SealingThread {
  let worker: Worker | undefined
  let isClosed = false
  let nextId = 1
  const waiting = new Map<number, Waiting>()
  const startWorker = (): Worker => {
    const started = new Worker(new URL('sealing-thread.ts', import.meta.url), { workerData: data })
    started.on('message', (answer: SealingAnswer) => {
      const call = waiting.get(answer.id)
      waiting.delete(answer.id)
      if (waiting.size === 0) started.unref()
      if ('seal' in answer) call?.resolve(answer.seal)
      else call?.reject(unpackError(answer.error))
    })
    const lose = (error?: unknown): void => {
      if (worker === started) worker = undefined
      for (const [id, call] of waiting) {
        waiting.delete(id)
        call.reject(new CertifyError('worker_lost', 'the sealing thread ended', { cause: error }))
      }
    }
    started.on('error', lose)
    started.on('exit', () => lose())
    return started
  }
  return {
    seal(request) {
      return new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new CertifyError('closed', 'the pool is closed'))
          return
        }
        worker ??= startWorker()
        const id = nextId++
        waiting.set(id, { resolve, reject })
        worker.ref()
        worker.postMessage({ id, request })
      })
    },
    async close() {
      isClosed = true
      await worker?.terminate()
    },
  }
}
