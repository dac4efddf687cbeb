import type { Db } from '../../../db/open.ts'
import type { ProofRecord } from '../queries.ts'

/** A proof that is to be erased, whatever its state. */
export type ErasableProof = Pick<
  ProofRecord,
  'id' | 'proofid' | 'collection_id' | 'owner_id' | 'title' | 'state' | 'revision0_key' | 'sealed_key'
>

const ERASABLE = [
  'id',
  'proofid',
  'collection_id',
  'owner_id',
  'title',
  'state',
  'revision0_key',
  'sealed_key',
] as const satisfies (keyof ErasableProof)[]

/** All that ever came of a collection; in the transaction that holds it. */
export async function listErasableOfCollection(transaction: Db, collectionId: number): Promise<ErasableProof[]> {
  return transaction.selectFrom('proofs').select(ERASABLE).where('collection_id', '=', collectionId).execute()
}

/** All of one owner; in the transaction that holds their collections. */
export async function listErasableOfOwner(transaction: Db, ownerId: number): Promise<ErasableProof[]> {
  return transaction.selectFrom('proofs').select(ERASABLE).where('owner_id', '=', ownerId).execute()
}

/** Proof IDs, in the order of their rows. */
export async function listProofIds(
  db: Db,
  afterId: number,
  most: number,
): Promise<Pick<ErasableProof, 'id' | 'proofid'>[]> {
  return db.selectFrom('proofs').select(['id', 'proofid']).where('id', '>', afterId).orderBy('id').limit(most).execute()
}

/** Whoever seals, publishes or changes it waits for the end of this transaction, and finds it gone. @returns undefined when it is gone. */
export async function holdErasable(transaction: Db, id: number): Promise<ErasableProof | undefined> {
  return transaction
    .updateTable('proofs')
    .set((row) => ({ change_count: row.ref('change_count') }))
    .where('id', '=', id)
    .returning(ERASABLE)
    .executeTakeFirst()
}

/** Deletes a held proof with its changes, its commitments and all that is kept beside it. */
export async function deleteProof(transaction: Db, id: number): Promise<void> {
  // The mark that lets its changes go goes with it.
  await transaction.insertInto('erasing_proofs').values({ proof_id: id }).execute()
  await transaction.deleteFrom('proof_changes').where('proof_id', '=', id).execute()
  await transaction.deleteFrom('file_problems').where('proof_id', '=', id).execute()
  await transaction.deleteFrom('proofs').where('id', '=', id).execute()
}

/** Whether somebody's name stands on proofs of others, as who approved them. @scans: somebody is erased a few times a year. */
export async function hasApprovedOthers(transaction: Db, reviewerId: number): Promise<boolean> {
  const row = await transaction
    .selectFrom('proofs')
    .select('id')
    .where('reviewer_id', '=', reviewerId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
