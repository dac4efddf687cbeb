import type { Step } from '@proofdesk/proof/document-verdict'
import { parseInstancePolicy, type InstancePolicy } from '@proofdesk/proof/instance-policy'
import { verifyDocument, type DocumentReport } from '@proofdesk/proof/verify-document'
import { NetworkError } from '../../lib/api-error.ts'

/** What this browser found out about a file by itself. */
export interface CheckedDocument {
  report: DocumentReport
  policy: InstancePolicy
}

/**
 * Checks a certified PDF from its bytes, step by step. Nothing of it leaves the browser; what is asked of the server is
 * whose keys to check by.
 * @throws NetworkError when the server does not say.
 */
export async function checkDocument(file: Blob): Promise<CheckedDocument> {
  const [policy, bytes] = await Promise.all([readPolicy(), file.arrayBuffer()])
  return { policy, report: await verifyDocument(new Uint8Array(bytes), { policy, now: Date.now() }) }
}

/** Sealed by this installation before it had a log: everything holds that could be looked at. */
export function isUnlogged(steps: readonly Step[]): boolean {
  const isPassed = (wanted: Step['name']) => steps.some(({ name, state }) => name === wanted && state === 'passed')
  return isPassed('seal') && isPassed('signer') && steps.some(({ code }) => code === 'no_proof')
}

/** The number by which the log, and the certificate, call a file: SHA-256, lower-case hex. Undefined without WebCrypto. */
export async function hashFile(file: Blob): Promise<string | undefined> {
  const { subtle } = crypto as Partial<Crypto>
  if (!subtle) return undefined
  const digest = new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer()))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function readPolicy(): Promise<InstancePolicy> {
  const response = await fetch('/log/instance-policy', { credentials: 'omit' }).catch(() => undefined)
  if (!response?.ok) throw new NetworkError()
  return parseInstancePolicy(new Uint8Array(await response.arrayBuffer()))
}
