import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readListState, writeListState, type ListState } from './list-state.ts'

/**
 * What the screen shows: the list's state in the address, the chosen ticket beside it in the history entry. Choosing a
 * tile clears the choice (specification section 2); leafing and searching keep it.
 */
export function useTicketScreen() {
  const { search, state: entry } = useLocation()
  const navigate = useNavigate()
  const state = useMemo(() => readListState(new URLSearchParams(search)), [search])
  const chosen = readChosen(entry)

  const change = useCallback(
    (changes: Partial<ListState>, replace = false) => {
      const next = writeListState({ ...state, page: 1, ...changes })
      const kept = 'face' in changes ? null : entry
      void navigate({ search: next.toString() }, { replace, state: kept, preventScrollReset: true })
    },
    [state, entry, navigate],
  )

  const choose = useCallback(
    (ticket: number | undefined) =>
      void navigate({ search }, { replace: true, state: ticket ? { ticket } : null, preventScrollReset: true }),
    [search, navigate],
  )

  return { state, change, chosen, choose }
}

/** History state outlives reloads and deployments, so its shape is checked. */
function readChosen(entry: unknown): number | undefined {
  if (typeof entry !== 'object' || entry === null || !('ticket' in entry)) return undefined
  return Number.isSafeInteger(entry.ticket) ? (entry.ticket as number) : undefined
}
