import { defineEvents } from '../../events/event.ts'
import { removeBlob } from '../../blobs/remove-blob.ts'
import { happenedTo, tellOnlookers, type ConcernedCollection } from '../collections/events.ts'
import { prepareDocument } from './work.ts'

/** A submission as it was kept: its document is to be prepared, and those before it are not needed any more. */
export interface KeptSubmission {
  id: number
  /** Of the review documents of earlier submissions. */
  oldKeys: readonly string[]
  hasFiles: boolean
}

/** What follows from a new submission, whoever brought it about. */
export const prepareKept = ({ id, oldKeys, hasFiles }: KeptSubmission, owner: number) => [
  ...oldKeys.map((key) => removeBlob({ key })),
  ...(hasFiles ? [prepareDocument({ submission_id: id }, owner)] : []),
]

export const submissionEvents = defineEvents({
  /** Who opens it from now on opens what was sent. @param number Of the submission. */
  collection_sent: (by: number, collection: ConcernedCollection, number: number, kept: KeptSubmission) => {
    const { audit, tell } = happenedTo(by, collection)
    return {
      audit: { ...audit, details: { submission: number } },
      tell,
      anew: { action: 'collection_viewed', object: collection.id },
      work: prepareKept(kept, collection.owner_id),
    }
  },
  /** The review document is there, or cannot be made. */
  document_settled: (collection: Pick<ConcernedCollection, 'owner_id'>) => ({
    tell: tellOnlookers(collection, ['collections', 'contents']),
  }),
  /** A file that kept it from being made is there again. @param id Of the submission. */
  document_begun_anew: (collection: Pick<ConcernedCollection, 'owner_id'>, id: number) => ({
    tell: tellOnlookers(collection, ['collections', 'contents']),
    work: [prepareDocument({ submission_id: id }, collection.owner_id)],
  }),
  /** Somebody to whom it does not belong is sent a review document, or a part of it. */
  document_downloaded: (by: number, collection: ConcernedCollection, submission: { id: number; number: number }) => ({
    audit: { ...happenedTo(by, collection).audit, details: { submission: submission.number } },
    seen: submission.id,
    tell: [],
  }),
})
