import { checkMailRecords, retryMails, sendTestMail, showMail } from '@proofdesk/contract/mail-delivery'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'

/** How often to look again while the screen is in view. */
const POLL_MS = 10_000

export function useMailState() {
  return useQuery({
    queryKey: QUERY_KEYS.mail,
    queryFn: ({ signal }) => call(showMail, {}, { signal }),
    refetchInterval: POLL_MS,
  })
}

export function useTestMail() {
  const onSettled = useReload()
  return useSingleMutation({ mutationFn: () => call(sendTestMail, { body: {} }), onSettled })
}

export function useRetryMails() {
  const onSettled = useReload()
  return useSingleMutation({ mutationFn: () => call(retryMails, { body: {} }), onSettled })
}

/** Looked up when it is asked for. */
export function useCheckMailRecords() {
  return useSingleMutation({ mutationFn: () => call(checkMailRecords, {}) })
}

function useReload(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: QUERY_KEYS.mail })
}
