import { defineEvents } from '../../events/event.ts'

export const notificationEvents = defineEvents({
  /** Also the other screens of the same person follow. */
  notifications_read: (user: number) => ({ tell: [{ topics: ['notifications'], user }] }),
})
