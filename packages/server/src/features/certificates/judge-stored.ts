import { CertifyError, type CertifyErrorCode } from '@proofdesk/certify/pool'
import { isUnlogged } from '@proofdesk/proof/document-verdict'
import type { Deps } from '../../deps.ts'
import { describeInstance, type InstanceParts } from '../../log/describe-instance.ts'
import { findApproval } from '../../log/queries.ts'
import type { ProofRecord } from './queries.ts'

/** What the verifier that strangers have finds out about a stored file. */
export interface StoredVerdict {
  /** It is what was approved under this Proof ID, whether or not it is still in force. */
  isGenuine: boolean
  /** The verdict and the steps that did not pass, for whoever runs the installation. */
  told: string
}

type StoredDeps = Pick<Deps, 'db' | 'blobs' | 'certify' | 'now'> & InstanceParts

/** A file that was judged before it was published does not do this to the verifier. */
const SPOILED = new Set<CertifyErrorCode>(['build_too_slow', 'build_too_much_memory', 'build_failed'])

/**
 * Why a published proof's stored file is not what was approved, in words for the operator; undefined when it is.
 * @throws CertifyError where no process could be had; what database and storage throw.
 */
export async function explainStored(
  deps: StoredDeps,
  { id, proofid, sealed_key: key }: Pick<ProofRecord, 'id' | 'proofid' | 'sealed_key'>,
): Promise<string | undefined> {
  if (key === null || (await deps.blobs.size(key)) === undefined) return 'no file'
  try {
    const { isGenuine, told } = await judgeStored(deps, key, { id, proofid })
    return isGenuine ? undefined : told
  } catch (error) {
    if (error instanceof CertifyError && SPOILED.has(error.code)) return error.code
    throw error
  }
}

/**
 * Runs the public verifier over a stored certified PDF. One without a proof is right only where the log was told of nothing.
 * @param isLastStep Of an approval that somebody waits for.
 * @throws as `CertifyPool.verify`, and what database and storage throw.
 */
export async function judgeStored(
  deps: StoredDeps,
  key: string,
  proof: { id: number; proofid: string },
  isLastStep = false,
): Promise<StoredVerdict> {
  const { path, release } = await deps.blobs.openLocal(key)
  try {
    const request = { path, policy: describeInstance(deps), now: deps.now() }
    const { verdict, steps, fields } = await deps.certify.verify(request, isLastStep)
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
