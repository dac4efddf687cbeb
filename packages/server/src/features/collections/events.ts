import type { LiveTopic } from '@proofdesk/contract/live'
import { defineEvents } from '../../events/event.ts'
import { removeBlob } from '../../blobs/remove-blob.ts'

/** What events need to know of a collection. */
export interface ConcernedCollection {
  id: number
  owner_id: number
}

/** Lets the screens of all who see a collection follow. */
export function tellOnlookers({ owner_id: user }: Pick<ConcernedCollection, 'owner_id'>, topics: LiveTopic[]) {
  return [{ topics, user, reviewers: true }]
}

/** Something that happened to a collection itself, by somebody. */
export const happenedTo = (by: number, collection: ConcernedCollection) => ({
  audit: { actor: by, object: { kind: 'collection', id: collection.id }, collection: collection.id } as const,
  tell: tellOnlookers(collection, ['collections']),
})

export const collectionEvents = defineEvents({
  collection_created: happenedTo,
  collection_renamed: happenedTo,
  collection_deleted: (by: number, collection: ConcernedCollection, blobKeys: readonly string[]) => ({
    ...happenedTo(by, collection),
    work: blobKeys.map((key) => removeBlob({ key })),
  }),
  /** From the shell, whatever its state. */
  collection_erased: (collection: ConcernedCollection, blobKeys: readonly string[]) => ({
    audit: { actor: null, object: { kind: 'collection', id: collection.id }, collection: collection.id } as const,
    work: blobKeys.map((key) => removeBlob({ key })),
  }),
  /** Somebody to whom it does not belong looks at it. */
  collection_viewed: (by: number, collection: ConcernedCollection) => ({
    ...happenedTo(by, collection),
    tell: tellOnlookers(collection, ['activity']),
  }),
})
