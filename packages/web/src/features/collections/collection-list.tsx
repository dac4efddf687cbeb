import type { Collection } from '@proofdesk/contract/collections'
import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import { hasStatusTiles } from '@proofdesk/contract/role-views'
import { useMemo } from 'react'
import { wordsOf } from '../../lib/error-words.ts'
import { useUser } from '../../lib/session.ts'
import { useReturnFromPastTheEnd, useSearchText } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { FoundCount } from '../../ui/found-count.tsx'
import { ListPager } from '../../ui/list-pager.tsx'
import { OrderSelect } from '../../ui/order-select.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { useCollections } from './api.ts'
import { columnsFor } from './collection-columns.tsx'
import { ListEmpty } from './list-empty.tsx'
import type { ListState } from './list-state.ts'
import { listOrderings } from './orderings.ts'
import type { RowActions } from './row-menu.tsx'
import { StatusSelect } from './status-select.tsx'
import { useExpiryReload } from './use-expiry-reload.ts'

export interface CollectionListProps extends RowActions {
  state: ListState
  onChange: (changes: Partial<ListState>, replace?: boolean) => void
}

/** Search box, table and pager. */
export function CollectionList({ state, onChange, onEdit, onDelete, onSend }: CollectionListProps) {
  const viewer = useUser()
  const { data, error, refetch, isPlaceholderData } = useCollections(state, true)
  const saidAt = data?.saidAt ?? 0
  const [text, setText] = useSearchText(
    state.search,
    useMemo(() => (search) => onChange({ search }, true), [onChange]),
  )
  const columns = useMemo(
    () => columnsFor(viewer, { onEdit, onDelete, onSend }, saidAt),
    [viewer, onEdit, onDelete, onSend, saidAt],
  )
  // Reviewers see more columns.
  const shape = isReviewer(viewer) ? 'most' : 'many'
  useExpiryReload(data?.results, saidAt)
  useReturnFromPastTheEnd(error, state.page, onChange)

  return (
    <section aria-label={m.collections_caption()} className="grid gap-4">
      {error && <ErrorBanner>{wordsOf(error, m.collections_failed())}</ErrorBanner>}
      <div className="sheet @container shadow-sheet">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line p-3">
          <div className="flex min-w-0 grow basis-64">
            <SearchBox
              label={searchLabelFor(viewer)}
              placeholder={viewer.is_superuser ? m.collections_search_superuser_short() : undefined}
              text={text}
              onText={setText}
            />
          </div>
          {!hasStatusTiles(viewer) && (
            <StatusSelect chosen={state.status} onChoose={(status) => onChange({ status })} />
          )}
          <OrderSelect
            choices={listOrderings()}
            ordering={state.ordering}
            onOrdering={(ordering) => onChange({ ordering })}
          />
          <FoundCount page={data} />
        </div>
        <DataTable<Collection>
          caption={m.collections_caption()}
          shape={shape}
          columns={columns}
          rows={data?.results ?? (error ? [] : undefined)}
          rowKey={({ id }) => id}
          stale={isPlaceholderData}
          ordering={state.ordering}
          onOrdering={(ordering) => onChange({ ordering: ordering as ListState['ordering'] })}
          empty={
            error ? <FailedState onRetry={() => void refetch()} /> : <ListEmpty state={state} onChange={onChange} />
          }
        />
        <ListPager page={state.page} count={data?.count ?? 0} onPage={(page) => onChange({ page })} />
      </div>
    </section>
  )
}

function searchLabelFor(viewer: Viewer): string {
  if (viewer.is_superuser) return m.collections_search_superuser()
  return isReviewer(viewer) ? m.collections_search_staff() : m.collections_search_own()
}
