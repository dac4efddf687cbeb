/** Entry of the thread that takes SHA-256 of uploads while they pass through. */
import { createHash, type Hash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { HashingAnswer, HashingOrder } from './hashing-stream.ts'

const hashes = new Map<number, Hash>()

function post(message: HashingAnswer): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', (order: HashingOrder) => {
  const hash = hashes.get(order.id) ?? createHash('sha256')
  if (order.kind === 'chunk') {
    hashes.set(order.id, hash.update(order.bytes))
    post({ kind: 'taken', id: order.id, bytes: order.bytes.length })
    return
  }
  hashes.delete(order.id)
  if (order.kind === 'end') post({ kind: 'digest', id: order.id, sha256: hash.digest('hex') })
})
