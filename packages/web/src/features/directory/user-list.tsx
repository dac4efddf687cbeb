import type { ManagedUser } from '@proofdesk/contract/directory'
import { useCallback, useMemo, useState } from 'react'
import { useUser } from '../../lib/session.ts'
import { useReturnFromPastTheEnd, useSearchText } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { FoundCount } from '../../ui/found-count.tsx'
import { ListPager } from '../../ui/list-pager.tsx'
import { OrderSelect } from '../../ui/order-select.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SeenBanner } from '../../ui/seen-banner.tsx'
import { useUsers } from './api.ts'
import type { FlagProblem } from './explain-flag-problem.ts'
import type { UserListState } from './list-state.ts'
import { listOrderings } from './orderings.ts'
import { columnsFor } from './user-columns.tsx'

export interface UserListProps {
  state: UserListState
  onChange: (changes: Partial<UserListState>, replace?: boolean) => void
}

/** Search box, table and pager. */
export function UserList({ state, onChange }: UserListProps) {
  const viewer = useUser()
  const { data, error, refetch, isPlaceholderData } = useUsers(state)
  const [problem, setProblem] = useState<FlagProblem>()
  const search = useCallback((text: string) => onChange({ search: text }, true), [onChange])
  const [text, setText] = useSearchText(state.search, search)
  const columns = useMemo(() => columnsFor(viewer, setProblem), [viewer])
  const isPastTheEnd = useReturnFromPastTheEnd(error, state.page, onChange)

  return (
    <section aria-label={m.users_caption()} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {error && !isPastTheEnd && <ErrorBanner>{m.users_failed()}</ErrorBanner>}
      {problem && <SeenBanner text={problem.reason ? `${problem.title}\n${problem.reason}` : problem.title} />}
      <div className="sheet @container shadow-sheet">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line p-3">
          <div className="flex min-w-0 grow basis-64">
            <SearchBox label={m.users_search()} text={text} onText={setText} />
          </div>
          <OrderSelect
            shape="many"
            choices={listOrderings()}
            ordering={state.ordering}
            onOrdering={(ordering) => onChange({ ordering })}
          />
          <FoundCount page={data} />
        </div>
        <DataTable<ManagedUser>
          caption={m.users_caption()}
          shape="many"
          columns={columns}
          rows={data?.results ?? (error ? [] : undefined)}
          rowKey={({ id }) => id}
          stale={isPlaceholderData}
          ordering={state.ordering}
          onOrdering={(ordering) => onChange({ ordering: ordering as UserListState['ordering'] })}
          empty={
            error ? (
              <FailedState onRetry={() => void refetch()} />
            ) : (
              <NoUsers onShowAll={() => onChange({ search: '', group: 'all' })} />
            )
          }
        />
        <ListPager page={state.page} count={data?.count ?? 0} onPage={(page) => onChange({ page })} />
      </div>
    </section>
  )
}

function NoUsers({ onShowAll }: { onShowAll: () => void }) {
  return (
    <EmptyState
      title={m.users_empty()}
      text={m.users_empty_text()}
      action={<Button onClick={onShowAll}>{m.users_show_all()}</Button>}
    />
  )
}
