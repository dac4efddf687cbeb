import type { AuditChain, AuditEntry } from '@proofdesk/contract/audit'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { formatTime } from '../../ui/time.tsx'
import { useAudit, useExport } from './api.ts'
import { AUDIT_COLUMNS } from './audit-columns.tsx'
import { AuditFilters, type AuditFiltersProps } from './audit-filters.tsx'

const NO_FILTER = { actor: '', action: undefined, object: undefined, collection: '', from: '', to: '', before: '' }

/** Filters, entries, and the way to older ones; files of them all. */
export function AuditList({ state, onChange }: AuditFiltersProps) {
  const { data, error, refetch, isPlaceholderData } = useAudit(state)
  const exporting = useExport(state)
  const rows = data?.results ?? (error ? [] : undefined)
  const older = data?.next ? data.results.at(-1)?.id : undefined
  return (
    <section aria-label={m.audit_caption()} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {error && <ErrorBanner>{m.audit_failed()}</ErrorBanner>}
      {exporting.error && <ErrorBanner>{m.audit_export_failed()}</ErrorBanner>}
      <div className="sheet @container shadow-sheet">
        <AuditFilters state={state} onChange={onChange} />
        <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line p-4">
          <div className="min-w-0 grow basis-72 text-sm text-ink-2">{data && <ChainState chain={data.chain} />}</div>
          <div className="flex flex-wrap gap-2">
            <Button busy={exporting.isPending} onClick={() => exporting.mutate('csv')}>
              {m.audit_export_csv()}
            </Button>
            <Button busy={exporting.isPending} onClick={() => exporting.mutate('json')}>
              {m.audit_export_json()}
            </Button>
          </div>
        </div>
        <DataTable<AuditEntry>
          caption={m.audit_caption()}
          columns={AUDIT_COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          lines={2}
          stale={isPlaceholderData}
          empty={
            error ? (
              <FailedState onRetry={() => void refetch()} />
            ) : (
              <EmptyState
                title={m.audit_empty()}
                text={m.audit_empty_text()}
                action={<Button onClick={() => onChange(NO_FILTER)}>{m.audit_show_all()}</Button>}
              />
            )
          }
        />
        <div className="flex flex-wrap justify-end gap-2 border-t border-line p-3">
          <Button aria-disabled={state.before === ''} onClick={() => onChange({ before: '' })}>
            {m.audit_newest()}
          </Button>
          <Button aria-disabled={older === undefined} onClick={() => onChange({ before: String(older) })}>
            {m.audit_older()}
          </Button>
        </div>
      </div>
    </section>
  )
}

function ChainState({ chain: { at, hash, waiting } }: { chain: AuditChain }) {
  if (at === null || hash === null) return <p>{m.audit_chain_none({ waiting })}</p>
  return (
    <>
      <p>{m.audit_chain({ time: formatTime(at), waiting })}</p>
      <p>
        {m.audit_chain_hash()} <span className="font-mono text-xs wrap-anywhere">{hash}</span>
      </p>
    </>
  )
}
