import { fromBase64 } from '@proofdesk/proof/base64'
import { ProofError } from '@proofdesk/proof/errors'
import type { InstancePolicy } from '@proofdesk/proof/instance-policy'
import { openCheckpoint } from '@proofdesk/proof/log/open-checkpoint'
import { parseTlogProof } from '@proofdesk/proof/log/tlog-proof'
import { verifyConsistency } from '@proofdesk/proof/log/tree'
import { openSeal } from '@proofdesk/proof/verify-seal'

type Bytes = Uint8Array<ArrayBuffer>

/** The instance as it answers now. Each is undefined where it does not. */
export interface LogSource {
  /** The newest signed head. */
  readHead(): Promise<string | undefined>
  /** What `/log/consistency` answers; null where it says that there is none, undefined where nothing comes. */
  readConsistency(oldSize: number, newSize: number): Promise<unknown>
}

/**
 * How the log of today goes with the head in a document.
 * - `continues`: it only grew since
 * - `contradicts`: its key signed two trees of one size; both heads are the proof of that
 * - `unproven`: what the instance gave does not lead from the document's head to the newest one
 * - `behind`: the instance shows an older head than the document has
 * - `unknown`: it did not answer, or not with a head of a log of the policy
 */
export type Growth =
  | { kind: 'continues'; oldSize: number; newSize: number }
  | { kind: 'contradicts' | 'unproven' | 'behind'; documentHead: string; newestHead: string }
  | { kind: 'unknown' }

/** Looks whether the log still has all that it had when the document was made. It throws nothing. */
export async function checkGrowth(file: Bytes, { log }: InstancePolicy, source: LogSource): Promise<Growth> {
  try {
    const documentHead = await readCheckpointOf(file)
    const newestHead = await source.readHead()
    if (documentHead === undefined || newestHead === undefined) return { kind: 'unknown' }
    const [old, newest] = [
      (await openCheckpoint(documentHead, log)).checkpoint,
      (await openCheckpoint(newestHead, log)).checkpoint,
    ]
    if (old.origin !== newest.origin) return { kind: 'unknown' }
    if (newest.size < old.size) return { kind: 'behind', documentHead, newestHead }
    const answer = newest.size === old.size ? { path: [] } : await source.readConsistency(old.size, newest.size)
    if (answer === undefined) return { kind: 'unknown' }
    const path = readPath(answer)
    // whoever signed the newer tree can tell how it grew from the older one
    if (!path) return { kind: 'unproven', documentHead, newestHead }
    const proof = { oldSize: old.size, oldRoot: old.root, newSize: newest.size, newRoot: newest.root, path }
    return isConsistent(proof)
      ? { kind: 'continues', oldSize: old.size, newSize: newest.size }
      : { kind: newest.size === old.size ? 'contradicts' : 'unproven', documentHead, newestHead }
  } catch (error) {
    if (error instanceof ProofError) return { kind: 'unknown' }
    throw error
  }
}

async function readCheckpointOf(file: Bytes): Promise<string | undefined> {
  const { proof } = await openSeal(file)
  return proof ? parseTlogProof(new TextDecoder().decode(proof)).checkpoint : undefined
}

function isConsistent(proof: Parameters<typeof verifyConsistency>[0]): boolean {
  try {
    verifyConsistency(proof)
    return true
  } catch (error) {
    if (error instanceof ProofError) return false
    throw error
  }
}

function readPath(answer: unknown): Bytes[] | undefined {
  const path = (answer as { path?: unknown } | null | undefined)?.path
  if (!Array.isArray(path)) return undefined
  const hashes = path.map((hash) => (typeof hash === 'string' ? fromBase64(hash) : undefined))
  return hashes.every((hash) => hash !== undefined) ? hashes : undefined
}
