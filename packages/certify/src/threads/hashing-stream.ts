import { Transform, type TransformCallback } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { CertifyError } from '../errors.ts'
import type { HashingStream } from '../types.ts'

export type HashingOrder =
  | { kind: 'chunk'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  | { kind: 'drop'; id: number }

export type HashingAnswer =
  | { kind: 'taken'; id: number; bytes: number }
  | { kind: 'digest'; id: number; sha256: string }

/** Bytes that may be on their way to the thread before the upload is held back. */
const WINDOW_BYTES = 2 << 20

interface Passage {
  take(bytes: number): void
  finish(sha256: string): void
  fail(error: CertifyError): void
}

export interface HashingThread {
  open(): HashingStream
  close(): Promise<void>
}

/** One thread for all uploads; it starts with the first and is started again should it ever end. */
export function openHashingThread(): HashingThread {
  let worker: Worker | undefined
  let isClosed = false
  let nextId = 1
  const passages = new Map<number, Passage>()
  const startWorker = (): Worker => {
    const started = new Worker(new URL('hashing-thread.ts', import.meta.url))
    started.unref()
    started.on('message', (answer: HashingAnswer) => {
      const passage = passages.get(answer.id)
      if (answer.kind === 'taken') passage?.take(answer.bytes)
      else passage?.finish(answer.sha256)
    })
    const lose = (error?: unknown): void => {
      if (worker === started) worker = undefined
      for (const passage of passages.values()) {
        const code = isClosed ? 'closed' : 'worker_lost'
        passage.fail(new CertifyError(code, 'the hashing thread ended', { cause: error }))
      }
    }
    started.on('error', lose)
    started.on('exit', () => lose())
    return started
  }
  return {
    open() {
      if (isClosed) throw new CertifyError('closed', 'the pool is closed')
      worker ??= startWorker()
      const used = worker
      const id = nextId++
      return openPassage({
        send(order) {
          if (order.kind !== 'chunk') {
            used.postMessage({ ...order, id })
            return
          }
          // the chunk goes on to its reader, so the thread gets a copy; posting the chunk itself would copy all of the pool
          // that it is a piece of
          const bytes = new Uint8Array(order.bytes)
          used.postMessage({ kind: 'chunk', id, bytes }, [bytes.buffer])
        },
        join(passage) {
          passages.set(id, passage)
          used.ref()
        },
        leave() {
          passages.delete(id)
          if (passages.size === 0) used.unref()
        },
      })
    },
    async close() {
      isClosed = true
      await worker?.terminate()
    },
  }
}

interface Line {
  send(order: { kind: 'chunk'; bytes: Uint8Array } | { kind: 'end' } | { kind: 'drop' }): void
  join(passage: Passage): void
  leave(): void
}

function openPassage(line: Line): HashingStream {
  let sizeBytes = 0
  let underWay = 0
  let heldBack: TransformCallback | undefined
  let lastCallback: TransformCallback | undefined
  let isSettled = false
  const { promise, resolve, reject } = Promise.withResolvers<{ sha256: string; sizeBytes: number }>()
  // an upload that breaks off is told by the stream; nobody has to listen to this as well
  promise.catch(() => undefined)
  const settle = (): void => {
    isSettled = true
    line.leave()
  }
  const stream = new Transform({
    transform(chunk: Uint8Array, _encoding, callback) {
      sizeBytes += chunk.length
      underWay += chunk.length
      line.send({ kind: 'chunk', bytes: chunk })
      stream.push(chunk)
      if (underWay <= WINDOW_BYTES) callback()
      else heldBack = callback
    },
    flush(callback) {
      lastCallback = callback
      line.send({ kind: 'end' })
    },
    destroy(error, callback) {
      if (!isSettled) {
        settle()
        line.send({ kind: 'drop' })
        reject(error ?? new CertifyError('file_unreadable', 'the upload broke off'))
      }
      callback(error)
    },
  })
  line.join({
    take(bytes) {
      underWay -= bytes
      if (underWay > WINDOW_BYTES / 2) return
      const callback = heldBack
      heldBack = undefined
      callback?.()
    },
    finish(sha256) {
      if (isSettled) return
      settle()
      resolve({ sha256, sizeBytes })
      lastCallback?.()
    },
    fail: (error) => stream.destroy(error),
  })
  return Object.assign(stream, { done: promise, sha256: async () => (await promise).sha256 })
}
