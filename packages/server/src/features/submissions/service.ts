import type { Collection } from '@proofdesk/contract/collections'
import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { sayEnglish } from '@proofdesk/contract/messages'
import type { PageOf } from '@proofdesk/contract/paging'
import { whyNotSendCollection, type Viewer } from '@proofdesk/contract/permissions'
import type { In } from '@proofdesk/contract/route'
import { tellOutcome, type listSubmissions as listRoute, type Submission } from '@proofdesk/contract/submissions'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { AppError, refuse } from '../../errors.ts'
import { recordEvents } from '../../events/record-events.ts'
import { recordDownload } from '../../events/record-view.ts'
import { showPage } from '../../http/page-links.ts'
import type { Work } from '../../outbox/outbox.ts'
import { bindDecisions, countResubmission, lockCollection, type CollectionRecord } from '../collections/queries.ts'
import { mustSeeCollection, recordCollectionView, toCollection } from '../collections/service.ts'
import { compareSubmissions, sayChanges } from './compare-submissions.ts'
import { awaitDocument } from './await-document.ts'
import { digestRecord, readPrepared, toFiles, toReviewDocument } from './documents.ts'
import { prepareKept, submissionEvents, type KeptSubmission } from './events.ts'
import * as queries from './queries.ts'
import type { SubmissionRecord } from './queries.ts'

export { awaitDocument, digestRecord, readPrepared }

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
    const { bound, ...kept } = await keepSubmission(transaction, locked, now)
    await emit(submissionEvents.collection_sent(viewer.id, locked, locked.submission_number, kept))
    return { ...locked, ...bound }
  })
  return toCollection(sent, viewer, now)
}

/**
 * Makes what waits a new submission, because a reviewer has deleted one of its files: who looked at it with that file
 * decides on it no more. Does nothing for a collection that does not wait. In the transaction of the deletion.
 * @returns what is to follow from it.
 */
export async function replaceSubmission(
  transaction: Db,
  collectionId: number,
  reviewerId: number,
  now: number,
): Promise<Work[]> {
  const collection = await countResubmission(transaction, collectionId, now)
  if (!collection) return []
  await queries.settleSubmission(transaction, collectionId, collection.submission_number - 1, {
    outcome: 'replaced',
    decided_at: now,
    reviewer_id: reviewerId,
    decision_id: null,
  })
  return prepareKept(await keepSubmission(transaction, collection, now), collection.owner_id)
}

/**
 * Keeps what a collection holds now under its number. In a transaction that holds it. What is empty needs no review document:
 * it can be decided on at once.
 */
async function keepSubmission(
  transaction: Db,
  collection: CollectionRecord,
  now: number,
): Promise<KeptSubmission & { bound: Pick<CollectionRecord, 'digest' | 'document_state'> }> {
  const { id: collection_id, submission_number: number, title, username } = collection
  // What was replaced was sent when its owner sent it.
  const sent_at = collection.submitted_at ?? now
  const oldKeys = await queries.dropDocuments(transaction, collection_id)
  const files = await queries.listFilesToSend(transaction, collection_id)
  const hasFiles = files.length > 0
  const digest = hasFiles ? null : digestRecord({ number, title, username, files }, null)
  const document_state = hasFiles ? 'preparing' : 'none'
  const facts = { collection_id, number, title, username, digest, sent_at, document_state } as const
  const id = await queries.insertSubmission(transaction, facts, files)
  if (digest !== null)
    await bindDecisions(transaction, { id: collection_id, number }, 'preparing', { digest, document_state }, now)
  return { id, oldKeys, hasFiles, bound: { digest, document_state } }
}

/**
 * What is said to a reviewer whose decision is on another submission than the one that waits.
 * @param lookedAt The digest that came with the decision.
 */
export async function explainChange(db: Db, collection: CollectionRecord, lookedAt: string | null): Promise<AppError> {
  const before = lookedAt === null ? undefined : await queries.findSubmission(db, collection.id, { digest: lookedAt })
  const now = await queries.findSubmission(db, collection.id, { number: collection.submission_number })
  const words = before && now ? sayChanges(compareSubmissions(before, now)) : ''
  const detail = [sayEnglish('collection_changed'), words].filter((part) => part !== '').join(' ')
  return new AppError('collection_changed', { detail })
}

/**
 * The review document of a submission, to be sent to somebody who may see it; that others than its owner got it is recorded.
 * @throws AppError `document_not_found` where there is none, or none any more.
 */
export async function openDocument(
  deps: Deps,
  viewer: Viewer,
  { id, number }: { id: number; number: number },
  request: FastifyRequest,
): Promise<queries.StoredDocument> {
  const collection = await mustSeeCollection(deps, viewer, id)
  const document = await queries.findDocument(deps.reads, id, number)
  if (!document) throw new AppError('document_not_found')
  if (collection.owner_id !== viewer.id)
    await recordDownload(deps, request, document, submissionEvents.document_downloaded(viewer.id, collection, document))
  return document
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
  const isOwner = collection.owner_id === viewer.id
  return showPage(address, query.page, count, async () => {
    const records = await queries.listSubmissions(deps.reads, id, (query.page - 1) * PAGE_SIZE)
    return records.slice(0, PAGE_SIZE).map((record, index) => toSubmission(record, records[index + 1], isOwner))
  })
}

function toSubmission(record: SubmissionRecord, before: SubmissionRecord | undefined, isOwner: boolean): Submission {
  const { number, title, digest, outcome, reviewer, admin_desc, files, sent_at, decided_at } = record
  return {
    number,
    sent_at: new Date(sent_at).toISOString(),
    title,
    digest,
    document: toReviewDocument(record),
    files: toFiles(files),
    changes: before ? compareSubmissions(before, record) : null,
    outcome: tellOutcome(outcome, isOwner),
    decided_at: decided_at === null ? null : new Date(decided_at).toISOString(),
    reviewer,
    admin_desc,
  }
}
