import { refuse } from '../errors.ts'
import { parseCheckpoint, type Checkpoint } from './checkpoint.ts'
import { openNote, SIGNATURE_TYPE } from './note.ts'
import { isQuorumMet, type Policy } from './policy.ts'

/** A checkpoint that a trusted log signed, and who else saw it. */
export interface OpenedCheckpoint {
  checkpoint: Checkpoint
  /** Witnesses of the policy that signed it: name of the key, seconds since 1970 UTC. */
  cosignatures: { name: string; time: number }[]
  /** Whether these are as many as the policy asks for. */
  isQuorumMet: boolean
}

/**
 * Reads a signed checkpoint that must be of one of the policy's logs.
 * @throws ProofError `log_note`, `log_checkpoint`, `unsupported`; `log_signature` when that of a known key is wrong;
 *   `log_trust` when the log's own is missing.
 * @see c2sp.org/tlog-proof, "Verifying a tlog proof", steps 2 and 3
 */
export async function openCheckpoint(note: string, policy: Policy): Promise<OpenedCheckpoint> {
  const keys = [...policy.logs, ...policy.witnesses.values()].map(({ key }) => key)
  const { text, signatures } = await openNote(note, keys)
  const checkpoint = parseCheckpoint(text)
  const isOfLog = signatures.some(({ key }) => key.type === SIGNATURE_TYPE.ed25519 && key.name === checkpoint.origin)
  if (!isOfLog) refuse('log_trust', `no key of ${checkpoint.origin} signed`)
  return {
    checkpoint,
    cosignatures: signatures.flatMap(({ name, time }) => (time === null ? [] : [{ name, time }])),
    isQuorumMet: isQuorumMet(policy, signatures),
  }
}
