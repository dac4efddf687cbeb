import { z } from 'zod'
import { route } from './route.ts'

/**
 * What may have changed for the one who listens. `collections`: a collection one sees, or its contents;
 * `contents`: no more than the thumbnail of a content one sees; `comments`: the comments on one; `activity`: no more than
 * that somebody has looked at one; `tickets`: a ticket one sees, or its conversation; `notifications`: one's own; `account`:
 * what one's account may do, or whether its e-mail is verified.
 */
export const LIVE_TOPICS = [
  'notifications',
  'collections',
  'contents',
  'comments',
  'activity',
  'tickets',
  'account',
] as const
export type LiveTopic = (typeof LIVE_TOPICS)[number]

/** Header that names the window a call comes from: its own stream is not told what the call changes. */
export const WINDOW_HEADER = 'x-window'
/** Anything else is taken for no name. */
export const WINDOW_NAME = /^[0-9a-f]{32}$/

/** Name of the one kind of event; its data is a JSON list of topics. */
export const CHANGED_EVENT = 'changed'

/** Data of a `changed` event. Topics this version does not know are left out, so that a newer server may add some. */
export const ChangedTopics = z
  .array(z.string())
  .transform((topics) => LIVE_TOPICS.filter((topic) => topics.includes(topic)))

export const openEvents = route({
  method: 'GET',
  path: '/events/',
  summary:
    'A stream of server-sent events (text/event-stream). Each `changed` event lists topics whose calls now answer ' +
    'differently; it is a hint and carries no data, so nothing is replayed: after reconnecting, ask again. A comment ' +
    'line comes every 15 seconds. What calls with the stream’s own `x-window` header (32 hexadecimal digits) change is not ' +
    'told. At most 5 streams per person, 429 beyond; a stream ends when its session does.',
  access: 'bearer',
  errors: ['too_many_streams'],
  stream: 'text/event-stream',
})
