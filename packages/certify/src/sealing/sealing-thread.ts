/** Entry of the thread that holds the signing key. It never parses what was uploaded: it hashes bytes and signs. */
import { parentPort, workerData } from 'node:worker_threads'
import { packError } from '../error-data.ts'
import { loadSigningKey } from './issuing-keys.ts'
import type { Signer } from './cms-maker.ts'
import { sealRevision0 } from './seal.ts'
import type { SealRequest } from '../types.ts'
import type { SealingAnswer, SealingThreadData } from './sealing-calls.ts'

const { keysDir, passphrase } = workerData as SealingThreadData
let signer: Promise<Signer> | undefined

async function loadSigner(): Promise<Signer> {
  const { key, leaf, ca } = await loadSigningKey(keysDir, passphrase)
  return { key, certificate: leaf.raw, chain: [ca.raw] }
}

async function answer(id: number, request: SealRequest): Promise<void> {
  try {
    signer ??= loadSigner()
    const seal = await sealRevision0(request, await signer)
    post({ id, seal })
  } catch (error) {
    // keys that could not be read may be there the next time
    signer = undefined
    post({ id, error: packError(error, 'seal_failed') })
  }
}

function post(message: SealingAnswer): void {
  parentPort?.postMessage(message)
}

parentPort?.on('message', ({ id, request }: { id: number; request: SealRequest }) => void answer(id, request))
