import type { Collection } from '@proofdesk/contract/collections'
import { whyNotReview, whyNotWithdrawApproval, type Viewer } from '@proofdesk/contract/permissions'
import { isReviewable } from '@proofdesk/contract/status'
import { giveUpBlob } from '../../blobs/intents.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { findClaimedProof, markWithdrawn } from '../certificates/queries.ts'
import { stateChange } from '../certificates/service.ts'
import {
  findCollection,
  rejectCollection as rejectRow,
  releaseClaim,
  type CollectionRecord,
} from '../collections/queries.ts'
import { mustSeeCollection, toCollection } from '../collections/service.ts'
import { settleSubmission } from '../submissions/queries.ts'
import { awaitDocument, explainChange } from '../submissions/service.ts'
import { buildProof, type Decision } from './build-proof.ts'
import { claimProof, refuseExpiry } from './claim-proof.ts'
import { reviewEvents } from './events.ts'
import { insertDecision } from './queries.ts'
import { announceProof, waitForProof } from './wait-for-proof.ts'
import { sealProof } from './work.ts'

/** Of the time that an approval may take in all, for who waits for its review document first: the rest is for building and sealing. */
const PREPARING_SHARE = 0.5

/**
 * Approves a locked collection: builds the certified PDF out of its review document, claims the decision, and waits a while
 * for it to be sealed and published, which the outbox does.
 * @returns the collection, and whether the approval is already there to see.
 * @throws AppError `forbidden`, `email_not_verified`, `own_collection`; `expire_time_past`, `collection_empty`;
 *   `collection_not_reviewable` or `collection_changed` when it has moved on, also when two decide at once;
 *   `document_failed`, `document_preparing`, `certifying_unavailable` or `storage_unavailable`, and then nothing has
 *   changed.
 */
export async function approveCollection(
  deps: Deps,
  viewer: Viewer,
  id: number,
  decision: Decision,
): Promise<{ collection: Collection; isPublished: boolean }> {
  const deadline = performance.now() + deps.approvalWaitMs
  const collection = await mustBePrepared(deps, viewer, id, decision)
  deps.log.mustBeWhole()
  const built = await buildProof(deps, viewer, collection, decision).catch(async (error: unknown) => {
    // Where somebody else was quicker, the review document has gone with their decision, and another may wait by now.
    const now = await mustBeReviewable(deps, viewer, id)
    const isSame = now.revision === collection.revision && now.digest === collection.digest
    throw isSame ? error : await explainChange(deps.reads, now, collection.digest)
  })
  try {
    await deps.onApprovalStep?.('built')
  } catch (error) {
    await giveUpBlob(deps, built.blobKey)
    throw error
  }
  // Rung only once the step was told, so that sealing does not overtake it.
  const silent = { ...deps, outbox: { ring: () => {} } }
  const proofRowId = await claimProof(silent, viewer, collection, decision, built)
  await deps.onApprovalStep?.('claimed')
  const sealing = waitForProof(deps, proofRowId, Math.max(0, deadline - performance.now()))
  deps.outbox.ring([sealProof.kind])
  const state = await sealing
  if (state === 'withdrawn') throw new AppError('collection_not_reviewable')
  const seen = await mustSeeCollection(deps, viewer, id)
  return { collection: toCollection(seen, viewer, deps.now()), isPublished: state === 'published' }
}

/**
 * Gives a locked collection back to its owner with a description of what is wrong.
 * @throws AppError as `approveCollection`; `collection_changed` when another submission waits than the one that was looked
 *   at, `collection_not_reviewable` once an approval is claimed.
 */
export async function rejectCollection(
  deps: Deps,
  viewer: Viewer,
  id: number,
  { admin_desc, digest }: { admin_desc: string; digest?: string | undefined },
): Promise<Collection> {
  await mustBeReviewable(deps, viewer, id)
  const rejection = { adminDesc: admin_desc, reviewerId: viewer.id, digest, now: deps.now() }
  const rejected = await recordEvents(deps, async (transaction, emit) => {
    const collection = await rejectRow(transaction, id, rejection)
    if (!collection) throw await findWhyNotRejected(transaction, id, rejection)
    const decision = await insertDecision(transaction, id, admin_desc)
    await settle(transaction, collection, 'rejected', rejection, decision)
    await emit(reviewEvents.collection_rejected(viewer.id, collection, decision, digest !== undefined))
    return collection
  })
  return toCollection(rejected, viewer, rejection.now)
}

/**
 * Takes back an approval that is claimed but cannot be sealed: the collection is its owner's again, with the reason.
 * @throws AppError `forbidden` for everyone but superusers, `own_collection`; `collection_not_reviewable` when nothing is
 *   claimed, or once the approval is sealed.
 */
export async function withdrawApproval(
  deps: Deps,
  viewer: Viewer,
  id: number,
  input: { admin_desc: string },
): Promise<Collection> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotWithdrawApproval(viewer, collection))
  const proof = await findClaimedProof(deps.reads, id)
  if (!proof) throw new AppError('collection_not_reviewable')
  const release = { proofRowId: proof.id, adminDesc: input.admin_desc, reviewerId: viewer.id, now: deps.now() }
  deps.log.mustBeWhole()
  // The revocation refers to the approval's place.
  await deps.log.settle()
  const released = await recordEvents(deps, async (transaction, emit) => {
    const withdrawn = (await markWithdrawn(transaction, proof.id)) && (await releaseClaim(transaction, id, release))
    if (!withdrawn) throw new AppError('collection_not_reviewable')
    const decision = await insertDecision(transaction, id, input.admin_desc)
    await settle(transaction, withdrawn, 'withdrawn', release, decision)
    await stateChange(deps, transaction, {
      kind: 'revoke',
      proofRowId: proof.id,
      proofid: proof.proofid,
      at: release.now,
      reason: 'withdrawn',
      text: input.admin_desc,
      expireTime: proof.expire_time,
    })
    await emit(reviewEvents.approval_withdrawn(viewer.id, withdrawn, decision, proof.revision0_key))
    return withdrawn
  })
  announceProof(proof.id)
  return toCollection(released, viewer, release.now)
}

async function settle(
  transaction: Db,
  { id, submission_number }: CollectionRecord,
  outcome: 'rejected' | 'withdrawn',
  { reviewerId: reviewer_id, now: decided_at }: { reviewerId: number; now: number },
  decision_id: number,
): Promise<void> {
  await settleSubmission(transaction, id, submission_number, { outcome, decided_at, reviewer_id, decision_id })
}

async function findWhyNotRejected(
  transaction: Db,
  id: number,
  { digest, now }: { digest: string | undefined; now: number },
): Promise<AppError> {
  const collection = await findCollection(transaction, id, now)
  const waits = collection && isReviewable(collection) && !collection.is_claimed
  if (!waits || digest === undefined || digest === collection.digest) return new AppError('collection_not_reviewable')
  return explainChange(transaction, collection, digest)
}

/**
 * Whoever names what they looked at has seen its review document. For others that may just be prepared.
 * @returns the collection with the digest of its review document.
 */
async function mustBePrepared(
  deps: Deps,
  viewer: Viewer,
  id: number,
  { digest, expire_time }: Decision,
): Promise<CollectionRecord> {
  let collection = await mustBeReviewable(deps, viewer, id)
  if (digest !== undefined && digest !== collection.digest) throw await explainChange(deps.reads, collection, digest)
  if (expire_time !== null && expire_time <= deps.now()) throw refuseExpiry()
  if (collection.content_count === 0) throw new AppError('collection_empty')
  if (collection.document_state === 'preparing') {
    await awaitDocument(deps, id, deps.approvalWaitMs * PREPARING_SHARE)
    collection = await mustBeReviewable(deps, viewer, id)
  }
  if (collection.document_state === 'preparing') throw new AppError('document_preparing')
  if (collection.document_state === 'failed') throw new AppError('document_failed')
  return collection
}

async function mustBeReviewable(deps: Deps, viewer: Viewer, id: number): Promise<CollectionRecord> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotReview(viewer, collection))
  return collection
}
