import type { Db } from '../db/open.ts'
import type { Emit } from '../events/record-events.ts'
import * as proofs from '../features/certificates/erasure/queries.ts'
import { certificateEvents } from '../features/certificates/events.ts'
import * as collections from '../features/collections/erasure/queries.ts'
import { collectionEvents } from '../features/collections/events.ts'
import { deleteCollectionRow, listFileKeys } from '../features/collections/queries.ts'
import { deleteNotificationsAbout } from '../features/notifications/queries.ts'
import { listSentTitles } from '../features/submissions/queries.ts'
import { findApproval, keepWithdrawnLeaf } from '../log/queries.ts'

/** How much of each went. */
export interface ErasedCounts {
  collections: number
  proofs: number
  /** Stored ones, those that were drawn among them. */
  files: number
}

/** What is to go together. */
export interface Things {
  collections: readonly collections.ErasableCollection[]
  proofs: readonly proofs.ErasableProof[]
}

/** Takes a collection, if it is there, and all proofs that came of it; in the transaction that erases them. */
export async function holdCollectionWithProofs(transaction: Db, id: number): Promise<Things> {
  const collection = await collections.holdErasable(transaction, id)
  if (!collection) return { collections: [], proofs: [] }
  return { collections: [collection], proofs: await proofs.listErasableOfCollection(transaction, id) }
}

/**
 * Deletes collections and proofs with all that is kept about them, whatever their state: their leaves stay in the log, and their files
 * go after the commit.
 * @param things Collections that this transaction holds.
 */
export async function eraseThings(transaction: Db, emit: Emit, things: Things): Promise<ErasedCounts> {
  const counts: ErasedCounts = { collections: 0, proofs: 0, files: 0 }
  for (const { id } of things.proofs) {
    const proof = await proofs.holdErasable(transaction, id)
    if (!proof) continue
    if (proof.state !== 'published') await keepWithdrawal(transaction, id)
    await proofs.deleteProof(transaction, id)
    const keys = [proof.revision0_key, proof.sealed_key].filter((key) => key !== null)
    await emit(certificateEvents.proof_erased(proof, keys))
    counts.proofs += 1
    counts.files += keys.length
  }
  const titles = new Map(things.proofs.map(({ owner_id, title }) => [title, owner_id]))
  for (const collection of things.collections) {
    for (const title of [collection.title, ...(await listSentTitles(transaction, collection.id))])
      titles.set(title, collection.owner_id)
    const keys = await listFileKeys(transaction, collection.id)
    await deleteCollectionRow(transaction, collection.id)
    await emit(collectionEvents.collection_erased(collection, keys))
    counts.collections += 1
    counts.files += keys.length
  }
  const ids = things.collections.map(({ id }) => id)
  // All are of one owner.
  const [ownerId] = titles.values()
  if (ownerId !== undefined)
    await deleteNotificationsAbout(transaction, { ownerId, collections: ids, tickets: [], titles: [...titles.keys()] })
  return counts
}

/** Who was shown an approval that was never given out learns from the log that it does not hold. */
async function keepWithdrawal(transaction: Db, proofRowId: number): Promise<void> {
  const approval = await findApproval(transaction, proofRowId)
  if (approval) await keepWithdrawnLeaf(transaction, approval.leaf_hash)
}
