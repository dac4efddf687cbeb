import { isReviewable } from '@proofdesk/contract/status'
import type { Viewer } from '@proofdesk/contract/permissions'
import { toHex } from '@proofdesk/proof/bytes'
import { forgetIntent, giveUpBlob } from '../../blobs/intents.ts'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { appendStatement } from '../../log/append-statement.ts'
import { insertCommitment } from '../../log/queries.ts'
import { insertProof } from '../certificates/queries.ts'
import { macClaim, stateApproval } from '../certificates/service.ts'
import { claimCollection, findCollection, pointClaimAt, type CollectionRecord } from '../collections/queries.ts'
import { explainChange } from '../submissions/service.ts'
import type { BuiltProof, Decision } from './build-proof.ts'
import { reviewEvents } from './events.ts'

/**
 * Step 2 of approving (design, section 3): one transaction, whose conditional update decides the race.
 * @param collection As it was when it was built from.
 * @returns the proof's row id.
 * @throws AppError `collection_not_reviewable` when somebody else decided first, `collection_changed` when title or
 *   contents have changed since Build, `expire_time_past`. Then nothing is left of what was built.
 */
export async function claimProof(
  deps: Deps,
  reviewer: Viewer,
  collection: CollectionRecord,
  decision: Decision,
  built: BuiltProof,
): Promise<number> {
  try {
    return await recordEvents(deps, async (transaction, emit) => {
      const at = deps.now()
      if (decision.expire_time !== null && decision.expire_time <= at) throw refuseExpiry()
      if (collection.digest === null) throw new AppError('collection_not_reviewable')
      const claim = { revision: collection.revision, digest: collection.digest, now: at }
      if (!(await claimCollection(transaction, collection.id, claim)))
        throw await findWhyNotClaimed(transaction, collection, at)
      const claimed = {
        proofid: built.proofId,
        collection_id: collection.id,
        owner_id: collection.owner_id,
        reviewer_id: reviewer.id,
        title: collection.title,
        username: collection.username,
        reviewer_username: reviewer.username,
        admin_desc: decision.admin_desc,
        approved_at: built.approvedAt,
        expire_time: decision.expire_time,
        seed: built.seed,
        revision0_key: built.blobKey,
        revision0_sha256: built.revision.sha256,
        revision0_size: built.revision.sizeBytes,
        revision0_facts: built.revision.facts,
        pages: built.revision.pages,
      }
      const claim_mac = macClaim(deps.secrets, claimed)
      const proofRowId = await insertProof(transaction, { ...claimed, claim_mac })
      await pointClaimAt(transaction, collection.id, proofRowId)
      // Whatever makes the approval known outside belongs below this line and above the commit: only the one that
      // won may be recorded, and its record must stand or fall with the claim.
      const { statement } = stateApproval(built.seed, built.fields)
      await insertCommitment(transaction, {
        leaf_hash: toHex(await appendStatement(deps.engine, transaction, statement)),
        proof_id: proofRowId,
        kind: 'approve',
        seed: built.seed,
        fields: JSON.stringify(built.fields),
      })
      await forgetIntent(transaction, built.blobKey)
      await emit(reviewEvents.approval_claimed(reviewer.id, collection, proofRowId, decision.digest !== undefined))
      return proofRowId
    })
  } catch (error) {
    await giveUpBlob(deps, built.blobKey)
    throw error
  }
}

/** An approval that would have expired before anyone sees it. */
export function refuseExpiry(): AppError {
  const refusal = new AppError('expire_time_past')
  return new AppError('expire_time_past', { fields: { expire_time: [refusal.message] } })
}

/** @param seen The collection as it was when it was looked at, or built from. */
async function findWhyNotClaimed(transaction: Db, seen: CollectionRecord, now: number): Promise<AppError> {
  const collection = await findCollection(transaction, seen.id, now)
  if (!collection) return new AppError('collection_not_found')
  const isSame = collection.revision === seen.revision && collection.digest === seen.digest
  if (!isReviewable(collection) || collection.is_claimed || isSame) return new AppError('collection_not_reviewable')
  return explainChange(transaction, collection, seen.digest)
}
