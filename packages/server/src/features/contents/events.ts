import { defineEvents } from '../../events/event.ts'
import type { Work } from '../../outbox/outbox.ts'
import { tellOnlookers, type ConcernedCollection } from '../collections/events.ts'
import { removeBlob } from '../../blobs/remove-blob.ts'

const happenedTo = (by: number, collection: ConcernedCollection, content: number) => ({
  audit: { actor: by, object: { kind: 'content', id: content }, collection: collection.id } as const,
  tell: tellOnlookers(collection, ['collections']),
})

/** Whoever owns a file learns that somebody else has deleted it. */
const tellRemoval = (collection: ConcernedCollection & { title: string }, file: string) => ({
  notify: {
    user: collection.owner_id,
    type: 'REMOVED_FILE',
    path: String(collection.id),
    title: collection.title,
    file,
  } as const,
  tell: [
    ...tellOnlookers(collection, ['collections']),
    { topics: ['notifications'] as const, user: collection.owner_id },
  ],
})

const removeBlobs = (keys: readonly string[]) => keys.map((key) => removeBlob({ key }))

export const contentEvents = defineEvents({
  content_added: happenedTo,
  content_renamed: happenedTo,
  content_replaced: (by: number, collection: ConcernedCollection, content: number, oldKeys: readonly string[]) => ({
    ...happenedTo(by, collection, content),
    anew: { action: 'content_downloaded', object: content },
    work: removeBlobs(oldKeys),
  }),
  contents_ordered: (by: number, collection: ConcernedCollection) => ({
    ...happenedTo(by, collection, collection.id),
    audit: { actor: by, object: { kind: 'collection', id: collection.id }, collection: collection.id },
  }),
  /** @param follows From what waits being another submission now. */
  content_deleted: (
    by: number,
    collection: ConcernedCollection & { title: string },
    content: { id: number; file_name: string },
    oldKeys: readonly string[],
    follows: readonly Work[],
  ) => ({
    ...happenedTo(by, collection, content.id),
    ...(by !== collection.owner_id && tellRemoval(collection, content.file_name)),
    work: [...removeBlobs(oldKeys), ...follows],
  }),
  /** Somebody to whom it does not belong is sent its file, or a part of it. */
  content_downloaded: (by: number, collection: ConcernedCollection, content: number) => ({
    ...happenedTo(by, collection, content),
    tell: [],
  }),
  /** What the virus scanner calls it; the file is refused. */
  malware_found: (by: number, collection: ConcernedCollection, signature: string) => ({
    audit: {
      actor: by,
      object: { kind: 'collection', id: collection.id },
      collection: collection.id,
      details: { signature },
    },
  }),
  /** @param oldKeys Of a picture that was found to be spoiled, so that there is none for now. */
  thumbnail_settled: (collection: Pick<ConcernedCollection, 'owner_id'>, oldKeys: readonly string[] = []) => ({
    tell: tellOnlookers(collection, ['contents']),
    work: removeBlobs(oldKeys),
  }),
})
