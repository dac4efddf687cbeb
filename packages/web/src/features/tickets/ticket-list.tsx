import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { whyNotCreateTicket, seesAllTickets } from '@proofdesk/contract/permissions'
import { seesTicketAdmin } from '@proofdesk/contract/role-views'
import type { Ticket } from '@proofdesk/contract/tickets'
import { useMemo } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { useReturnFromPastTheEnd } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { joinClasses } from '../../ui/class-names.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { ListPager } from '../../ui/list-pager.tsx'
import { useTickets } from './api.ts'
import type { Asker } from './asker.ts'
import type { ListState } from './list-state.ts'
import { columnsFor } from './ticket-columns.tsx'
import { TicketListEmpty } from './ticket-list-empty.tsx'
import { TicketSearch } from './ticket-search.tsx'

export interface TicketListProps {
  asker: Asker
  state: ListState
  chosen: number | undefined
  onChange: (changes: Partial<ListState>, replace?: boolean) => void
  onChoose: (id: number) => void
  onAdd: () => void
}

/** Heading by role, search or the button to add one, table and pager. */
export function TicketList({ asker, state, chosen, onChange, onChoose, onAdd }: TicketListProps) {
  const { viewer } = asker
  const { data, error, isPlaceholderData } = useTickets(asker, state)
  const columns = useMemo(() => columnsFor(asker, chosen, onChoose), [asker, chosen, onChoose])
  const count = data?.count ?? 0
  const isAnswering = viewer !== null && seesAllTickets(viewer)
  const searchLabel = viewer && seesTicketAdmin(viewer) ? m.tickets_search_admin() : m.tickets_search_staff()
  useReturnFromPastTheEnd(error, state.page, onChange)

  return (
    <section aria-labelledby="ticket-list" className="grid min-w-0 gap-4">
      {error && <ErrorBanner>{wordsOf(error, m.tickets_failed())}</ErrorBanner>}
      <div className="sheet shadow-sheet">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line p-3 ps-4">
          <h2 id="ticket-list" className="me-auto py-1 font-serif text-xl font-semibold">
            {isAnswering ? m.tickets_heading_all() : m.tickets_heading_own()}
          </h2>
          {isAnswering && (
            <TicketSearch label={searchLabel} search={state.search} onSearch={(search) => onChange({ search })} />
          )}
          {!whyNotCreateTicket(viewer) && (
            <Button kind="brand" onClick={onAdd}>
              {m.ticket_add()}
            </Button>
          )}
        </div>
        <DataTable<Ticket>
          caption={isAnswering ? m.tickets_heading_all() : m.tickets_heading_own()}
          columns={columns}
          rows={data?.results ?? (error ? [] : undefined)}
          rowKey={({ id }) => id}
          rowClass={({ id }) =>
            joinClasses('relative', id === chosen && 'bg-[color-mix(in_oklch,var(--brand-wash)_45%,var(--sheet))]')
          }
          stale={isPlaceholderData}
          ordering={state.ordering}
          onOrdering={(ordering) => onChange({ ordering: ordering as ListState['ordering'] })}
          empty={error ? null : <TicketListEmpty asker={asker} state={state} onChange={onChange} />}
        />
        {count > PAGE_SIZE && <ListPager page={state.page} count={count} onPage={(page) => onChange({ page })} />}
      </div>
    </section>
  )
}
