import { readProofId } from '@proofdesk/proof/proof-id'
import { AppError } from '../errors.ts'
import type { Db } from '../db/open.ts'
import { recordEvents, type EventDeps } from '../events/record-events.ts'
import { listErasableOfCollection, type ErasableProof } from '../features/certificates/erasure/queries.ts'
import { findProofByProofId } from '../features/certificates/queries.ts'
import { findErasable, type ErasableCollection } from '../features/collections/erasure/queries.ts'
import { addErased } from '../secrets/erased-list.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { hashToken } from '../secrets/tokens.ts'
import { eraseThings, holdCollectionWithProofs, type ErasedCounts } from './erase-things.ts'

/** From the shell, or before a server serves. */
export interface ErasureDeps extends EventDeps {
  keysDir: string
}

/** What goes with one proof. */
interface ProofErasure {
  proof: ErasableProof
  /** Undefined where the collection is gone, or something else came of it. */
  collection: ErasableCollection | undefined
}

/**
 * Erases everything that is kept about one proof: first its line in the list, so that whatever comes between is made up for at the next
 * start; then all of it in one transaction.
 * @param given The Proof ID as people write it.
 * @throws AppError `proof_not_found`
 */
export async function eraseProof(deps: ErasureDeps, secrets: SecretBox, given: string): Promise<ErasedCounts> {
  const proofid = readProofId(given)
  const proof = proofid === undefined ? undefined : await findProofByProofId(deps.db, proofid)
  if (!proof) throw new AppError('proof_not_found')
  const erasure = await findErasure(deps.db, proof)
  const { collection } = erasure
  await addErased(deps.keysDir, {
    proof: hashProofId(proof.proofid),
    ...(collection && { collection: { id: collection.id, mac: macCollection(secrets, collection) } }),
  })
  return carryOut(deps, erasure)
}

/** Erases it, its line being in the list. */
export function carryOut(deps: EventDeps, { proof, collection }: ProofErasure): Promise<ErasedCounts> {
  return recordEvents(deps, async (transaction, emit) => {
    const held = collection
      ? await holdCollectionWithProofs(transaction, collection.id)
      : { collections: [], proofs: [] }
    const others = held.proofs.filter(({ id }) => id !== proof.id)
    return eraseThings(transaction, emit, { ...held, proofs: [proof, ...others] })
  })
}

/** An approval that was withdrawn goes alone where the collection was approved after all. */
export async function findErasure(db: Db, proof: ErasableProof): Promise<ProofErasure> {
  if (proof.collection_id === null) return { proof, collection: undefined }
  const others = (await listErasableOfCollection(db, proof.collection_id)).filter(({ id }) => id !== proof.id)
  const goesAlone = proof.state === 'withdrawn' && others.some(({ state }) => state !== 'withdrawn')
  return { proof, collection: goesAlone ? undefined : await findErasable(db, proof.collection_id) }
}

export const hashProofId = (proofid: string): string => hashToken(proofid)

/** Another collection that gets the same id after a restore was made at another time. */
export function macCollection(secrets: SecretBox, { id, owner_id, created_at }: ErasableCollection): string {
  return secrets.mac(JSON.stringify([id, owner_id, created_at]), 'erased collection')
}
