import {
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  type Notification,
} from '@proofdesk/contract/notifications'
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { keepInList } from '../../lib/keep-answer.ts'
import { useIsLive } from '../../lib/live-events.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { m } from '../../paraglide/messages.js'
import { showToast } from '../../ui/toast.ts'

const KEY = QUERY_KEYS.notifications
/** How often to ask while no live stream tells when to. */
const POLL_MS = 60_000

/** The newest 20. A failure to fetch them is only logged (specification section 8), and they are asked for again. */
export function useNotifications() {
  const isLive = useIsLive()
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      try {
        return (await call(listNotifications, {}, { signal })).results
      } catch (error) {
        if (!signal.aborted) console.error('Notifications could not be fetched', error)
        throw error
      }
    },
    refetchInterval: ({ state }) => (isLive && state.status !== 'error' ? false : POLL_MS),
  })
}

/** Marks one read; one that is gone (404) is nothing to tell anybody. */
export function useMarkRead() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (notification: Notification) => call(markNotificationRead, { query: { id: notification.id } }),
    onSuccess: (_answer, { id }) => markKnown(queryClient, new Set([id])),
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status !== 404) showToast(m.bell_check_failed(), 'error')
    },
  })
}

/** Marks read what is known here; one that comes meanwhile stays unread. */
export function useMarkAllRead() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (known: Notification[]) => {
      const through = Math.max(...known.map(({ id }) => id))
      return call(markAllNotificationsRead, { body: { through } })
    },
    onSuccess: (_answer, read) => markKnown(queryClient, new Set(read.map(({ id }) => id))),
    onError: () => showToast(m.bell_check_failed(), 'error'),
  })
}

function markKnown(queryClient: QueryClient, read: ReadonlySet<number>): Promise<void> {
  return keepInList<Notification>(queryClient, KEY, (known) =>
    known.map((one) => (read.has(one.id) ? { ...one, is_read: true } : one)),
  )
}
