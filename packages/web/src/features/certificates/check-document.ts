import { parseInstancePolicy, type InstancePolicy } from '@proofdesk/proof/instance-policy'
import { readAnswer } from '@proofdesk/proof/read-answer'
import { verifyDocument, type DocumentReport } from '@proofdesk/proof/verify-document'
import { NetworkError } from '../../lib/api-error.ts'
import { STATUS_PAGES } from './read-status.ts'

/** What this browser found out about a file by itself. */
export interface CheckedDocument {
  report: DocumentReport
  policy: InstancePolicy
}

/**
 * Checks a certified PDF from its bytes, step by step. Nothing of it leaves the browser; what is asked of the server is
 * whose keys to check by, and for a list of what is revoked.
 * @throws NetworkError when the server does not say.
 */
export async function checkDocument(file: Blob): Promise<CheckedDocument> {
  const [policy, bytes] = await Promise.all([readPolicy(), file.arrayBuffer()])
  const question = { policy, now: Date.now(), statusPage: STATUS_PAGES }
  return { policy, report: await verifyDocument(new Uint8Array(bytes), question) }
}

/** For the answer to its end; a server that never gives it leaves nobody waiting. */
const WAIT_MS = 15_000

/** @throws NetworkError when the server does not say. */
export async function readPolicy(): Promise<InstancePolicy> {
  return parseInstancePolicy(await readPolicyFile())
}

async function readPolicyFile(): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const signal = AbortSignal.timeout(WAIT_MS)
    const response = await fetch('/log/instance-policy', { credentials: 'omit', signal })
    const bytes = await readAnswer(response)
    if (response.ok && bytes) return bytes
  } catch (cause) {
    throw new NetworkError(undefined, { cause })
  }
  throw new NetworkError()
}
