import { m } from '../../paraglide/messages.js'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { DateTime } from '../../ui/time.tsx'
import { sayStatement } from './log-words.ts'
import type { LoggedStatement } from './read-log.ts'

const COLUMNS: Column<LoggedStatement>[] = [
  {
    id: 'index',
    header: m.transparency_entry(),
    cell: ({ index }) => <span className="font-mono">{index}</span>,
    phone: 'corner',
    className: 'w-20',
  },
  { id: 'what', header: m.transparency_what(), cell: ({ statement }) => sayStatement(statement), phone: 'title' },
  {
    id: 'when',
    header: m.transparency_when(),
    cell: ({ statement }) => <DateTime at={new Date(statement.time * 1000).toISOString()} />,
    phone: 'line',
  },
  {
    id: 'commitment',
    header: m.transparency_commitment(),
    cell: ({ statement }) =>
      'commitment' in statement ? (
        <span dir="ltr" className="font-mono text-[0.8rem] wrap-anywhere">
          {statement.commitment}
        </span>
      ) : null,
    phone: 'line',
  },
]

/** What the log was told last. */
export function LogEntries({ entries }: { entries: LoggedStatement[] }) {
  return (
    <section aria-labelledby="log-entries" className="sheet overflow-hidden">
      <div className="p-5 sm:px-7">
        <h2 id="log-entries" className="font-serif text-xl font-semibold">
          {m.transparency_entries()}
        </h2>
        <p className="mt-1 max-w-prose text-ink-2">{m.transparency_entries_text()}</p>
      </div>
      <DataTable
        caption={m.transparency_entries()}
        columns={COLUMNS}
        rows={entries}
        rowKey={({ index }) => index}
        empty={null}
        keepRows={3}
      />
    </section>
  )
}
