import { isUnlogged } from '@proofdesk/proof/document-verdict'
import type { Deps } from '../../deps.ts'
import { describeInstance, type InstanceParts } from '../../log/describe-instance.ts'
import { findApproval } from '../../log/queries.ts'

/** What the verifier that strangers have finds out about a stored file. */
export interface StoredVerdict {
  /** It is what was approved under this Proof ID, whether or not it is still in force. */
  isGenuine: boolean
  /** The verdict and the steps that did not pass, for whoever runs the installation. */
  told: string
}

/**
 * Runs the public verifier over a stored certified PDF. One without a proof is right only where the log was told of nothing.
 * @throws as `CertifyPool.verify`, and what database and storage throw.
 */
export async function judgeStored(
  deps: Pick<Deps, 'db' | 'blobs' | 'certify' | 'now'> & InstanceParts,
  key: string,
  proof: { id: number; proofid: string },
): Promise<StoredVerdict> {
  const { path, release } = await deps.blobs.openLocal(key)
  try {
    const request = { path, policy: describeInstance(deps), now: deps.now() }
    const { verdict, steps, fields } = await deps.certify.verify(request)
    const failed = steps.flatMap(({ name, state, code }) => (state === 'failed' ? [`${name} ${code}`] : []))
    if (isUnlogged(steps)) {
      const isKnown = (await findApproval(deps.db, proof.id)) !== undefined
      return { isGenuine: !isKnown, told: [verdict, ...failed].join(', ') }
    }
    const isOfProof = fields?.pid === proof.proofid
    const isGenuine = (verdict === 'valid' || verdict === 'expired') && isOfProof
    return { isGenuine, told: [verdict, ...failed, ...(fields && !isOfProof ? ['of another proof'] : [])].join(', ') }
  } finally {
    await release()
  }
}
