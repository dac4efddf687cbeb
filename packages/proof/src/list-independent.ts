import type { Finding } from './finding.ts'
import type { InstancePolicy } from './instance-policy.ts'
import type { OpenedCheckpoint } from './log/open-checkpoint.ts'

/** @returns `value`: the times of those who are not the issuer. */
export function listIndependent(opened: OpenedCheckpoint, { independentWitnesses }: InstancePolicy): Finding<number[]> {
  const { cosignatures, isQuorumMet } = opened
  const listed = cosignatures.map((one) => ({ ...one, isIndependent: independentWitnesses.includes(one.name) }))
  const value = listed.filter(({ isIndependent }) => isIndependent).map(({ time }) => time)
  const details = { cosignatures: listed, isQuorumMet }
  return isQuorumMet && value.length > 0
    ? { value, details }
    : { value, details, state: 'unknown', code: 'not_witnessed' }
}

/** Whether those signed a head who have to: as many as the policy asks for, and one that is independent, where it names any. */
export function isWitnessed(tree: OpenedCheckpoint, policy: InstancePolicy): boolean {
  return (
    tree.isQuorumMet && (policy.independentWitnesses.length === 0 || listIndependent(tree, policy).state !== 'unknown')
  )
}
