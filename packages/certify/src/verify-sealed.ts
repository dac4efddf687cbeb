import { parseInstancePolicy, type InstancePolicy } from '@proofdesk/proof/instance-policy'
import { verifyDocument, type DocumentReport } from '@proofdesk/proof/verify-document'
import { readWhole } from './read-whole.ts'
import type { VerifyRequest } from './types.ts'

/** Of the file that was judged last. */
let known: { bytes: Uint8Array; policy: InstancePolicy } | undefined

/** What any stranger would find out about a certified PDF. @throws ProofError for a policy that cannot be read; what reading the file throws. */
export async function verifySealed({ path, policy, now }: VerifyRequest): Promise<DocumentReport> {
  return verifyDocument(new Uint8Array(readWhole(path).buffer), { policy: readPolicy(policy), now })
}

/** One process judges the files of one installation, whose policy seldom changes. */
function readPolicy(bytes: VerifyRequest['policy']): InstancePolicy {
  if (known === undefined || Buffer.compare(known.bytes, bytes) !== 0)
    known = { bytes, policy: parseInstancePolicy(bytes) }
  return known.policy
}
