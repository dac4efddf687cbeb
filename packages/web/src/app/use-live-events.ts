import type { LiveTopic } from '@proofdesk/contract/live'
import type { QueryKey } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followEvents } from '../lib/live-events.ts'
import { queryClient } from '../lib/query-client.ts'
import { QUERY_KEYS } from '../lib/query-keys.ts'
import { reloadUser } from '../lib/session-calls.ts'

/** Hints are gathered for a moment and looked into at different times in different browsers. */
const GATHER_MS = 100
const SPREAD_MS = 300

/** A topic is the first part of the keys it makes out of date. A decision on a collection shows in others too. */
const ALSO: Partial<Record<LiveTopic, QueryKey[]>> = {
  collections: [QUERY_KEYS.contents, QUERY_KEYS.serverContents],
  activity: [[...QUERY_KEYS.collections, 'activity']],
  account: [QUERY_KEYS.profile],
}

/** Keeps what is on screen up to date while somebody is signed in. */
export function useLiveEvents(): void {
  useEffect(() => {
    const waiting = new Set<LiveTopic>()
    let timer: ReturnType<typeof setTimeout> | undefined
    function reload() {
      timer = undefined
      if (waiting.has('account')) void reloadUser()
      for (const queryKey of [...waiting].flatMap((topic) => [[topic], ...(ALSO[topic] ?? [])]))
        void queryClient.invalidateQueries({ queryKey })
      waiting.clear()
    }
    const stop = followEvents((topics) => {
      for (const topic of topics) waiting.add(topic)
      timer ??= setTimeout(reload, GATHER_MS + Math.random() * SPREAD_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
}
