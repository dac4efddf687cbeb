import type { Collection } from '@proofdesk/contract/collections'
import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { PageOf } from '@proofdesk/contract/paging'
import { whyNotSendCollection, type Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import type { listSubmissions as listRoute, Submission } from '@proofdesk/contract/submissions'
import { digestSubmission } from '@proofdesk/proof/submission-digest'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { showPage } from '../../http/page-links.ts'
import { countResubmission, lockCollection, setDigest, type CollectionRecord } from '../collections/queries.ts'
import { mustSeeCollection, recordCollectionView, toCollection } from '../collections/service.ts'
import { compareSubmissions, sayChanges } from './compare-submissions.ts'
import { submissionEvents } from './events.ts'
import * as queries from './queries.ts'
import type { SubmissionRecord } from './queries.ts'

/**
 * Locks a collection and hands it to the reviewers, as a new submission.
 * @throws AppError `collection_already_sent` when it is locked, also when two requests race;
 *   `collection_not_open` when its approval has expired.
 */
export async function sendCollection(deps: Deps, viewer: Viewer, id: number): Promise<Collection> {
  const collection = await mustSeeCollection(deps, viewer, id)
  refuse(whyNotSendCollection(viewer, collection))
  const now = deps.now()
  const sent = await recordEvents(deps, async (transaction, emit) => {
    const locked = await lockCollection(transaction, id, viewer.id, now)
    if (!locked) throw new AppError('collection_already_sent')
    const digest = await keepSubmission(transaction, locked, now)
    await emit(submissionEvents.collection_sent(viewer.id, locked, locked.submission_number))
    return { ...locked, digest }
  })
  return toCollection(sent, viewer, now)
}

/**
 * Makes what waits a new submission, because a reviewer has deleted one of its files: who looked at it with that file
 * decides on it no more. Does nothing for a collection that does not wait. In the transaction of the deletion.
 */
export async function replaceSubmission(
  transaction: Db,
  collectionId: number,
  reviewerId: number,
  now: number,
): Promise<void> {
  const collection = await countResubmission(transaction, collectionId, now)
  if (!collection) return
  await queries.settleSubmission(transaction, collectionId, collection.submission_number - 1, {
    outcome: 'replaced',
    decided_at: now,
    reviewer_id: reviewerId,
    decision_id: null,
  })
  await keepSubmission(transaction, collection, now)
}

/** Keeps what a collection holds now under its number. In a transaction that holds it. @returns the digest */
async function keepSubmission(transaction: Db, collection: CollectionRecord, now: number): Promise<string> {
  const { id, submission_number: number, title, username } = collection
  const files = await queries.listFilesToSend(transaction, id)
  const digest = digestSubmission({
    number,
    title,
    username,
    files: files.map((file) => ({ ...file, fileName: file.file_name })),
  })
  await queries.insertSubmission(
    transaction,
    { collection_id: id, number, title, username, digest, sent_at: now },
    files,
  )
  await setDigest(transaction, id, digest)
  return digest
}

/**
 * What is said to a reviewer whose decision is on another submission than the one that waits.
 * @param lookedAt The digest that came with the decision.
 */
export async function explainChange(db: Db, collection: CollectionRecord, lookedAt: string | null): Promise<AppError> {
  const find = (digest: string | null) =>
    digest === null ? undefined : queries.findByDigest(db, collection.id, digest)
  const [before, now] = [await find(lookedAt), await find(collection.digest)]
  const words = before && now ? sayChanges(compareSubmissions(before, now)) : ''
  const detail = [sayEnglish('collection_changed'), words].filter((part) => part !== '').join(' ')
  return new AppError('collection_changed', { detail })
}

/** A page of the rounds of a collection, newest first, for whoever sees the collection. */
export async function listSubmissions(
  deps: Deps,
  viewer: Viewer,
  id: number,
  query: In<typeof listRoute, 'query'>,
  address: string,
): Promise<PageOf<Submission>> {
  const collection = await mustSeeCollection(deps, viewer, id)
  await recordCollectionView(deps, viewer, collection)
  const count = await queries.countSubmissions(deps.reads, id)
  return showPage(address, query.page, count, async (offset) => {
    const records = await queries.listSubmissions(deps.reads, id, offset)
    return records.slice(0, PAGE_SIZE).map((record, index) => toSubmission(record, records[index + 1]))
  })
}

function toSubmission(record: SubmissionRecord, before: SubmissionRecord | undefined): Submission {
  const { number, title, digest, outcome, reviewer, admin_desc, files, sent_at, decided_at } = record
  return {
    number,
    sent_at: new Date(sent_at).toISOString(),
    title,
    digest,
    files: files.map((file) => ({
      content: file.content_id,
      title: file.title,
      file_name: file.file_name,
      type: file.type,
      size: file.size,
      pages: file.pages,
      sha256: file.sha256,
    })),
    changes: before ? compareSubmissions(before, record) : null,
    outcome,
    decided_at: decided_at === null ? null : new Date(decided_at).toISOString(),
    reviewer,
    admin_desc,
  }
}
