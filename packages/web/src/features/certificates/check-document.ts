import { parseInstancePolicy, type InstancePolicy } from '@proofdesk/proof/instance-policy'
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

/** @throws NetworkError when the server does not say. */
export async function readPolicy(): Promise<InstancePolicy> {
  const response = await fetch('/log/instance-policy', { credentials: 'omit' }).catch(() => undefined)
  if (!response?.ok) throw new NetworkError()
  return parseInstancePolicy(new Uint8Array(await response.arrayBuffer()))
}
