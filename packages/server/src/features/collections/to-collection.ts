import type { Collection } from '@proofdesk/contract/collections'
import { isReviewer, listCollectionRights, type Viewer } from '@proofdesk/contract/permissions'
import type { CollectionRecord } from './queries.ts'

/** The shape the API shows. Only reviewers learn that an approval is being sealed. */
export function toCollection(record: CollectionRecord, viewer: Viewer, now: number): Collection {
  const { expire_time, sealing } = record
  return {
    id: record.id,
    title: record.title,
    username: record.username,
    is_locked: record.is_locked,
    is_active: record.is_active,
    proofid: record.proofid,
    admin_desc: record.admin_desc,
    admin_username: record.admin_username,
    expire_time: expire_time === null ? null : new Date(expire_time).toISOString(),
    remaining_approval_time: expire_time === null ? null : Math.max(0, Math.floor((expire_time - now) / 1000)),
    revoked_at: record.revoked_at === null ? null : new Date(record.revoked_at).toISOString(),
    created_at: new Date(record.created_at).toISOString(),
    content_count: record.content_count,
    sealing: sealing && isReviewer(viewer) ? { ...sealing, since: new Date(sealing.since).toISOString() } : null,
    submission: findWaiting(record),
    may: listCollectionRights(viewer, record),
  }
}

/** What waits for a decision. */
export function findWaiting(record: CollectionRecord): Collection['submission'] {
  const { is_locked, proofid, submission_number: number, submitted_at, created_at, digest, document_state } = record
  if (!is_locked || proofid !== null || number === 0) return null
  return {
    number,
    // `submitted_at` is null for what was sent before sendings were dated.
    sent_at: new Date(submitted_at ?? created_at).toISOString(),
    state: document_state,
    digest,
    document: document_state,
  }
}
