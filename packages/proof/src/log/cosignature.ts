import { refuse } from '../errors.ts'
import { isSeconds } from '../seconds.ts'
import { parseCheckpoint } from './checkpoint.ts'
import { writeCosignedMessage, writeTimedSignature } from './cosigned-message.ts'
import { formatNote, openNote, parseNote, type NoteSignature, type NoteSigner, type VerifierKey } from './note.ts'

/**
 * Signs a checkpoint as a witness: that at this time it was the largest tree of this log that the witness had seen, and
 * consistent with all before. That it was is for the caller to make sure of.
 * @param text The text of the checkpoint, without signatures.
 * @param signer Has the key ID of a cosignature key: `SIGNATURE_TYPE.cosignature`.
 * @param time Seconds since 1970 UTC, above 0.
 * @throws ProofError `log_checkpoint`, `log_range`.
 * @see c2sp.org/tlog-cosignature, "Ed25519 signed message"
 */
export async function cosign(text: string, signer: NoteSigner, time: number): Promise<NoteSignature> {
  parseCheckpoint(text)
  if (!isSeconds(time) || time === 0) refuse('log_range', `no time ${time}`)
  const signature = await signer.sign(writeCosignedMessage(time, text))
  return { name: signer.name, keyId: signer.keyId, signature: writeTimedSignature({ time, signature }) }
}

/**
 * Puts a witness's cosignatures under a checkpoint.
 * @param found What the witness answered. Those by other keys are left out, and so are those that are there already.
 * @throws ProofError `log_note`; `log_signature` when one by the witness is wrong; `log_trust` when there is none.
 * @see c2sp.org/tlog-witness, "add-checkpoint"
 */
export async function addCosignatures(
  note: string,
  found: readonly NoteSignature[],
  witness: VerifierKey,
): Promise<string> {
  const { text, signatures } = parseNote(note)
  const answer = await openNote(formatNote(text, found), [witness])
  const added = answer.signatures.filter((one) => !signatures.some((other) => isSameKey(one, other)))
  return formatNote(text, [...signatures, ...added])
}

function isSameKey(one: NoteSignature, other: NoteSignature): boolean {
  return one.name === other.name && one.keyId === other.keyId
}
