import type { Collection } from '@proofdesk/contract/collections'
import { whyNotReview, whyNotWithdrawApproval, type Viewer } from '@proofdesk/contract/permissions'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { findClaimedProof, markWithdrawn } from '../certificates/queries.ts'
import { rejectCollection as rejectRow, releaseClaim, type CollectionRecord } from '../collections/queries.ts'
import { mustSeeCollection, toCollection } from '../collections/service.ts'
import { buildProof, discardProof, type Decision } from './build-proof.ts'
import { claimProof, refuseExpiry } from './claim-proof.ts'
import { reviewEvents } from './events.ts'
import { insertDecision } from './queries.ts'
import { announceProof, waitForProof } from './wait-for-proof.ts'

/**
 * Approves a locked collection: builds the certified PDF, claims the decision, and waits a while for it to be sealed and
 * published, which the outbox does.
 * @returns the collection, and whether the approval is already there to see.
 * @throws AppError `forbidden`, `email_not_verified`, `own_collection`; `expire_time_past`, `collection_empty`;
 *   `collection_not_reviewable` or `collection_changed` when it has moved on, also when two decide at once;
 *   `certifying_unavailable` or `storage_unavailable`, and then nothing has changed.
 */
export async function approveCollection(
  deps: Deps,
  viewer: Viewer,
  id: number,
  decision: Decision,
): Promise<{ collection: Collection; isPublished: boolean }> {
  const collection = await mustBeReviewable(deps, viewer, id)
  if (decision.expire_time !== null && decision.expire_time <= deps.now()) throw refuseExpiry()
  const built = await buildProof(deps, viewer, collection, decision)
  try {
    await deps.onApprovalStep?.('built')
  } catch (error) {
    await discardProof(deps, built.blobKey)
    throw error
  }
  // Rung only once the step was told, so that sealing does not overtake it.
  const silent = { ...deps, outbox: { ring: () => {} } }
  const proofRowId = await claimProof(silent, viewer, collection, decision, built)
  await deps.onApprovalStep?.('claimed')
  deps.outbox.ring()
  const state = await waitForProof(deps, proofRowId, deps.approvalWaitMs)
  if (state === 'withdrawn') throw new AppError('collection_not_reviewable')
  const seen = await mustSeeCollection(deps, viewer, id)
  return { collection: toCollection(seen, viewer, deps.now()), isPublished: state === 'published' }
}

/**
 * Gives a locked collection back to its owner with a description of what is wrong.
 * @throws AppError as `approveCollection`; `collection_not_reviewable` once an approval is claimed.
 */
export async function rejectCollection(
  deps: Deps,
  viewer: Viewer,
  id: number,
  input: { admin_desc: string },
): Promise<Collection> {
  await mustBeReviewable(deps, viewer, id)
  const rejection = { adminDesc: input.admin_desc, reviewerId: viewer.id, now: deps.now() }
  const rejected = await recordEvents(deps, async (transaction, emit) => {
    const collection = await rejectRow(transaction, id, rejection)
    if (!collection) throw new AppError('collection_not_reviewable')
    const decision = await insertDecision(transaction, id, input.admin_desc)
    await emit(reviewEvents.collection_rejected(viewer.id, collection, decision))
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
  const released = await recordEvents(deps, async (transaction, emit) => {
    const withdrawn = (await markWithdrawn(transaction, proof.id)) && (await releaseClaim(transaction, id, release))
    if (!withdrawn) throw new AppError('collection_not_reviewable')
    const decision = await insertDecision(transaction, id, input.admin_desc)
    await emit(reviewEvents.approval_withdrawn(viewer.id, withdrawn, decision, proof.revision0_key))
    return withdrawn
  })
  announceProof(proof.id)
  return toCollection(released, viewer, release.now)
}

async function mustBeReviewable(deps: Deps, viewer: Viewer, id: number): Promise<CollectionRecord> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotReview(viewer, collection))
  return collection
}
