import { Readable } from 'node:stream'
import { CHANGED_EVENT, LIVE_TOPICS, type LiveTopic } from '@proofdesk/contract/live'
import { EVENT_HEARTBEAT_MS, EVENT_SESSION_CHECK_MS, EVENT_STREAMS_PER_USER } from '@proofdesk/contract/limits'
import { isReviewer, seesAllTickets, type Viewer } from '@proofdesk/contract/permissions'
import { AppError } from '../../errors.ts'
import type { SignedIn } from '../../http/bind.ts'
import type { Change, Live } from '../../live/live.ts'
import type { Logger } from '../../logger.ts'

/** Hints that come faster are told together: whoever looks again sees all that happened. */
const GATHER_MS = 1000
/** Under the number of variables either database takes in one statement. */
const SESSIONS_PER_QUESTION = 500
/** For the browser of somebody with too many windows. */
const RETRY_AFTER_SECONDS = 60

const TIMING = { heartbeatMs: EVENT_HEARTBEAT_MS, checkMs: EVENT_SESSION_CHECK_MS, gatherMs: GATHER_MS }

interface StreamDeps {
  live: Live
  logger: Logger
  /** People of those of these sessions that still stand. */
  findViewers: (sessionIds: number[]) => Promise<Map<number, Viewer>>
}

interface Stream {
  viewer: Viewer
  sessionId: number
  window: string | undefined
  body: Readable
  /** Topics to tell when `pause` ends. */
  waiting: Set<LiveTopic>
  pause: NodeJS.Timeout | undefined
}

/** The live streams of this process. */
export interface EventStreams {
  /**
   * Begins a stream of server-sent events (WHATWG HTML, section 9.2), bytes to be sent as they come.
   * @param window Whose own changes are not told.
   * @throws AppError `too_many_streams` when the person has 5 already; those go on.
   */
  open(signedIn: SignedIn, window?: string): Readable
  /** Ends the streams whose session has ended or whose person is out, and takes changed roles in. */
  check(): Promise<void>
  /** Ends all streams; none begins any more. */
  close(): void
}

export function openEventStreams({ live, logger, findViewers }: StreamDeps, timing = TIMING): EventStreams {
  const streams = new Set<Stream>()
  let isClosed = false

  const stopListening = live.subscribe((change) => {
    for (const stream of streams) if (concerns(change, stream)) tell(stream, topicsOf(change))
  })
  const heartbeat = setInterval(() => {
    for (const stream of streams) write(stream, ':\n\n')
  }, timing.heartbeatMs)
  const checking = setInterval(() => {
    check().catch((error: unknown) => logger.fail('live: checking sessions failed', error))
  }, timing.checkMs)

  /** The first hint goes out at once, those right after it together. */
  function tell(stream: Stream, topics: readonly LiveTopic[]): void {
    for (const topic of topics) stream.waiting.add(topic)
    if (stream.pause === undefined) flush(stream)
  }

  function flush(stream: Stream): void {
    stream.pause = undefined
    if (stream.waiting.size === 0) return
    const text = `event: ${CHANGED_EVENT}\ndata: ${JSON.stringify([...stream.waiting])}\n\n`
    if (write(stream, text)) stream.waiting.clear()
    stream.pause = setTimeout(() => flush(stream), timing.gatherMs)
  }

  /** @returns false when the reader has not taken what was sent before: nothing is piled up for it. */
  function write({ body }: Stream, text: string): boolean {
    if (body.destroyed || body.readableLength > 0) return false
    body.push(text)
    return true
  }

  function forget(stream: Stream): void {
    streams.delete(stream)
    clearTimeout(stream.pause)
  }

  function end(stream: Stream): void {
    forget(stream)
    stream.body.push(null)
  }

  async function check(): Promise<void> {
    const asked = [...streams]
    const ids = [...new Set(asked.map(({ sessionId }) => sessionId))]
    const found = new Map<number, Viewer>()
    for (let from = 0; from < ids.length; from += SESSIONS_PER_QUESTION)
      for (const [id, viewer] of await findViewers(ids.slice(from, from + SESSIONS_PER_QUESTION))) found.set(id, viewer)
    for (const stream of asked) {
      const viewer = found.get(stream.sessionId)
      if (viewer) stream.viewer = viewer
      else end(stream)
    }
  }

  return {
    open: ({ viewer, sessionId }, window) => {
      const own = [...streams].filter((stream) => stream.viewer.id === viewer.id)
      if (isClosed || own.length >= EVENT_STREAMS_PER_USER)
        throw new AppError('too_many_streams', { retryAfterSeconds: RETRY_AFTER_SECONDS })
      const stream: Stream = {
        viewer,
        sessionId,
        window,
        body: new Readable({ read: () => {} }),
        waiting: new Set(),
        pause: undefined,
      }
      streams.add(stream)
      stream.body.on('close', () => forget(stream))
      // Something at once, so that headers do not wait in a proxy.
      write(stream, ':\n\n')
      return stream.body
    },
    check,
    close: () => {
      isClosed = true
      stopListening()
      clearInterval(heartbeat)
      clearInterval(checking)
      for (const stream of streams) end(stream)
    },
  }
}

function concerns(change: Change | 'everything', { viewer, window }: Stream): boolean {
  if (change === 'everything') return true
  if (window !== undefined && change.window === window) return false
  if (change.user === viewer.id) return true
  return (change.reviewers === true && isReviewer(viewer)) || (change.answerers === true && seesAllTickets(viewer))
}

function topicsOf(change: Change | 'everything'): readonly LiveTopic[] {
  return change === 'everything' ? LIVE_TOPICS : change.topics
}
