import {
  changeTicket,
  countTickets,
  createMessage,
  createTicket,
  listMessages,
  listTickets,
  markTicketRead,
  showTicket,
} from '@proofdesk/contract/tickets'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { QUERY_KEYS } from '../../lib/query-keys.ts'
import { useDraftMutation } from '../../lib/use-draft-mutation.ts'
import { useSingleMutation } from '../../lib/use-single-mutation.ts'
import { keyOf, queryOf, type Asker } from './asker.ts'
import { toListQuery, type ListState } from './list-state.ts'
import { draftOfMessage } from './ticket-drafts.ts'

const KEY = QUERY_KEYS.tickets
/** How often to look for news while the screen is in view: the list, and the conversation that is open. */
export const LIST_POLL_MS = 15_000
export const CONVERSATION_POLL_MS = 5_000

/** A ticket that is gone, or another's, does not come back. */
function pollConversation({ state: { error } }: { state: { error: Error | null } }): number | false {
  return !(error instanceof ApiError && error.status === 404) && CONVERSATION_POLL_MS
}

/** A page of the list; the one before it stays until the new one has come. */
export function useTickets(asker: Asker, state: ListState) {
  const query = { ...toListQuery(state), ...queryOf(asker) }
  return useQuery({
    queryKey: [...KEY, keyOf(asker), 'list', query],
    queryFn: ({ signal }) => call(listTickets, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LIST_POLL_MS,
  })
}

/** How many each filter tile holds. */
export function useTicketCounts(asker: Asker) {
  return useQuery({
    queryKey: [...KEY, keyOf(asker), 'counts'],
    queryFn: ({ signal }) => call(countTickets, { query: queryOf(asker) }, { signal }),
    refetchInterval: LIST_POLL_MS,
  })
}

/** The chosen ticket, on whatever page of the list it stands. */
export function useTicket(asker: Asker, id: number) {
  return useQuery({
    queryKey: [...KEY, keyOf(asker), 'one', id],
    queryFn: ({ signal }) => call(showTicket, { params: { id }, query: queryOf(asker) }, { signal }),
    refetchInterval: pollConversation,
  })
}

export function useConversation(asker: Asker, ticketId: number) {
  const query = { ticket_id: ticketId, ...queryOf(asker) }
  return useQuery({
    queryKey: [...KEY, keyOf(asker), 'conversation', ticketId],
    queryFn: async ({ signal }) => (await call(listMessages, { query }, { signal })).results,
    refetchInterval: pollConversation,
  })
}

/** Says how many messages of a ticket were seen; when that fails, the next look says it again. */
export function useMarkTicketRead(asker: Asker, id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (seen: number) => call(markTicketRead, { params: { id }, query: queryOf(asker), body: { seen } }),
    onSuccess: (ticket) => {
      queryClient.setQueryData([...KEY, keyOf(asker), 'one', id], ticket)
      return queryClient.invalidateQueries({ queryKey: [...KEY, keyOf(asker), 'list'] })
    },
  })
}

/** The newest tickets that are not closed, one page. */
export function useOpenTickets(asker: Asker) {
  const query = { is_locked: 'false' as const, ...queryOf(asker) }
  return useQuery({
    queryKey: [...KEY, keyOf(asker), 'list', 'open'],
    queryFn: ({ signal }) => call(listTickets, { query }, { signal }),
  })
}

export function useCreateTicket(asker: Asker, draft: string) {
  const reload = useReloadTickets()
  return useDraftMutation({
    draft,
    mutationFn: (title, key) => call(createTicket, { query: queryOf(asker), body: { title } }, { key }),
    onSettled: async (created) => {
      if (created) await reload()
    },
  })
}

export function useSendMessage(asker: Asker, ticket: number) {
  const onSettled = useReloadTickets()
  return useDraftMutation({
    draft: draftOfMessage(asker, ticket),
    mutationFn: (text, key) => call(createMessage, { query: queryOf(asker), body: { text, ticket } }, { key }),
    onSettled,
  })
}

export function useChangeTicket(id: number) {
  const onSettled = useReloadTickets()
  return useSingleMutation({
    mutationFn: (isLocked: boolean) => call(changeTicket, { params: { id }, body: { is_locked: isLocked } }),
    onSettled,
  })
}

/** After a change, and after a refusal: then what is shown here was out of date. */
function useReloadTickets(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: KEY })
}
