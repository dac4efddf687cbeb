import { readFile } from 'node:fs/promises'
import { parseInstancePolicy } from '@proofdesk/proof/instance-policy'
import { verifyDocument, type DocumentReport } from '@proofdesk/proof/verify-document'
import type { VerifyRequest } from './types.ts'

/** What any stranger would find out about a certified PDF. @throws ProofError for a policy that cannot be read; what reading the file throws. */
export async function verifySealed({ path, policy, now }: VerifyRequest): Promise<DocumentReport> {
  return verifyDocument(new Uint8Array(await readFile(path)), { policy: parseInstancePolicy(policy), now })
}
