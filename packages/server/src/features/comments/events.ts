import { defineEvents } from '../../events/event.ts'
import { tellOnlookers, type ConcernedCollection } from '../collections/events.ts'

const happenedTo = (by: number, collection: ConcernedCollection, comment: number) => ({
  audit: { actor: by, object: { kind: 'comment', id: comment }, collection: collection.id } as const,
  tell: tellOnlookers(collection, ['comments']),
})

export const commentEvents = defineEvents({ comment_added: happenedTo, comment_deleted: happenedTo })
