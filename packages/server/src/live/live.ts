import { LIVE_TOPICS, type LiveTopic } from '@proofdesk/contract/live'
import { z } from 'zod'
import type { OpenDatabase } from '../db/open.ts'
import { notify } from '../db/pg-notify.ts'
import { openPace, pauseFor } from '../db/pace.ts'
import { shareRuns } from '../db/share-runs.ts'
import type { Logger } from '../logger.ts'
import { findAskingWindow } from './asking-window.ts'

/** Something changed, and who may see that it did. */
export interface Change {
  topics: readonly LiveTopic[]
  /** Id of the person concerned. */
  user?: number | undefined
  /** Everybody who sees all users' collections. */
  reviewers?: boolean | undefined
  /** Everybody who sees all tickets. */
  answerers?: boolean | undefined
  /** The window that made the change and shows it already. */
  window?: string | undefined
}

/** `everything`: changes may have been missed, so whoever listens should look again. */
export type LiveListener = (change: Change | 'everything') => void

/** Hints to those who are looking right now. Losing one loses nothing but time: the data stands in the database. */
export interface Live {
  /** Tells every process of this installation. After the commit, beside ringing the outbox; never throws. */
  tell(change: Change): void
  /** @returns what stops it */
  subscribe(listener: LiveListener): () => void
}

export interface OpenLive extends Live {
  start(): Promise<void>
  close(): Promise<void>
}

const CHANNEL = 'proofdesk_live'

const WireChange = z.object({
  // Another process may run another version.
  topics: z.array(z.string()).transform((topics) => LIVE_TOPICS.filter((topic) => topics.includes(topic))),
  user: z.number().optional(),
  reviewers: z.boolean().optional(),
  answerers: z.boolean().optional(),
  window: z.string().optional(),
})

/** A message of PostgreSQL holds less than 8000 bytes (its manual, NOTIFY); a change takes less than 200. */
const MOST_IN_MESSAGE = 30
/** Where much happens, messages come so far apart; before that so many as they come. */
const MESSAGE_EVERY_MS = 200
const MESSAGES_AT_ONCE = 10

/**
 * On SQLite, where there is one process, hints stay in it. On PostgreSQL they travel by NOTIFY to every process that
 * listens, this one included.
 */
export function openLive({ db, listen }: Pick<OpenDatabase, 'db' | 'listen'>, logger: Logger): OpenLive {
  const listeners = new Set<LiveListener>()
  let stop: (() => Promise<void>) | undefined

  const deliver: LiveListener = (change) => {
    for (const listener of listeners) listener(change)
  }

  function receive(payload: string): void {
    try {
      for (const change of z.array(WireChange).parse(JSON.parse(payload))) deliver(change)
    } catch (error) {
      logger.fail('live: a message was not understood', error)
    }
  }

  async function tellTogether(told: Change[]): Promise<void> {
    const changes = [...new Map(told.map((change) => [JSON.stringify(change), change])).values()]
    for (let at = 0; at < changes.length; at += MOST_IN_MESSAGE) {
      const together = changes.slice(at, at + MOST_IN_MESSAGE)
      try {
        await notify(db, CHANNEL, JSON.stringify(together))
      } catch (error) {
        logger.fail('live: telling the other processes failed', error)
        for (const change of together) deliver(change)
      }
    }
  }

  /** What is told while others are being told goes with the next message, and what is the same once. */
  const pace = openPace(MESSAGE_EVERY_MS, MESSAGES_AT_ONCE)
  const tellAll = shareRuns(tellTogether, () => pauseFor(pace()))
  const telling = new Set<Promise<void>>()

  return {
    tell: (change) => {
      const window = findAskingWindow()
      const said = window === undefined ? change : { ...change, window }
      if (listen) {
        const told = tellAll(said).finally(() => telling.delete(told))
        telling.add(told)
      } else deliver(said)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: async () => {
      stop = await listen?.(CHANNEL, { onMessage: receive, onGap: () => deliver('everything') })
    },
    close: async () => {
      await Promise.allSettled(telling)
      await stop?.()
      listeners.clear()
    },
  }
}
