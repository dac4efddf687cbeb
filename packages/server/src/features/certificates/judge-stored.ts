import type { Step } from '@proofdesk/proof/document-verdict'
import type { Deps } from '../../deps.ts'
import { describeInstance, type InstanceParts } from '../../log/describe-instance.ts'

/** What the verifier that strangers have finds out about a stored file. */
export interface StoredVerdict {
  /** It is what was approved under this Proof ID, whether or not it is still in force. */
  isGenuine: boolean
  /** The verdict and the steps that did not pass, for whoever runs the installation. */
  told: string
}

/** Runs the public verifier over a stored certified PDF. @throws as `CertifyPool.verify`, and what the storage throws. */
export async function judgeStored(
  deps: Pick<Deps, 'blobs' | 'certify' | 'now'> & InstanceParts,
  key: string,
  proofid: string,
): Promise<StoredVerdict> {
  const { path, release } = await deps.blobs.openLocal(key)
  try {
    const request = { path, policy: describeInstance(deps), now: deps.now() }
    const { verdict, steps, fields } = await deps.certify.verify(request)
    const isGenuine =
      ((verdict === 'valid' || verdict === 'expired') && fields?.pid === proofid) || isFromBeforeTheLog(steps)
    const failed = steps.flatMap(({ name, state, code }) => (state === 'failed' ? [`${name} ${code}`] : []))
    return { isGenuine, told: [verdict, ...failed, fields?.pid].join(', ') }
  } finally {
    await release()
  }
}

/** Sealed by us, without a proof. Whether it may be so is known when it is sealed: see `proveApproval`. */
function isFromBeforeTheLog(steps: readonly Step[]): boolean {
  const isPassed = (wanted: Step['name']) => steps.some(({ name, state }) => name === wanted && state === 'passed')
  return isPassed('seal') && isPassed('signer') && steps.some(({ code }) => code === 'no_proof')
}
