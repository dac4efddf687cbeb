import { defineEvents } from '../../events/event.ts'
import { happenedTo, type ConcernedCollection } from '../collections/events.ts'

export const submissionEvents = defineEvents({
  /** Who opens it from now on opens what was sent. @param number Of the submission. */
  collection_sent: (by: number, collection: ConcernedCollection, number: number) => {
    const { audit, tell } = happenedTo(by, collection)
    return {
      audit: { ...audit, details: { submission: number } },
      tell,
      anew: { action: 'collection_viewed', object: collection.id },
    }
  },
})
