import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readSuggestedTicket } from '../../lib/ticket-suggestion.ts'
import { readListState, writeListState, type ListState } from './list-state.ts'

/**
 * What the screen shows: the list's state in the address, the chosen ticket beside it in the history entry. Choosing a
 * tile clears the choice (specification section 2); leafing and searching keep it. A link may have brought a ticket along that
 * is to be begun (`suggested`): choosing anything, or nothing, puts it away.
 */
export function useTicketScreen() {
  const { search, state: entry } = useLocation()
  const navigate = useNavigate()
  const state = useMemo(() => readListState(new URLSearchParams(search)), [search])
  const chosen = readChosen(entry)

  // The screen takes over what is written a while later: what is done before builds on what was written last.
  const written = useRef({ search, entry: entry as unknown })
  useLayoutEffect(() => {
    written.current = { search, entry }
  }, [search, entry])

  const write = useCallback(
    (next: typeof written.current, replace: boolean) => {
      written.current = next
      void navigate({ search: next.search }, { replace, state: next.entry, preventScrollReset: true })
    },
    [navigate],
  )

  const change = useCallback(
    (changes: Partial<ListState>, replace = false) => {
      const now = written.current
      const next = writeListState({ ...readListState(new URLSearchParams(now.search)), page: 1, ...changes })
      write({ search: next.toString(), entry: 'face' in changes ? null : now.entry }, replace)
    },
    [write],
  )

  const choose = useCallback(
    (ticket: number | undefined) => write({ search: written.current.search, entry: ticket ? { ticket } : null }, true),
    [write],
  )

  return { state, change, chosen, suggested: readSuggestedTicket(entry), choose }
}

/** History state outlives reloads and deployments, so its shape is checked. */
function readChosen(entry: unknown): number | undefined {
  if (typeof entry !== 'object' || entry === null || !('ticket' in entry)) return undefined
  return Number.isSafeInteger(entry.ticket) ? (entry.ticket as number) : undefined
}
