import type { FileProblem } from '@proofdesk/contract/health'
import { contentPath } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'

const listColumns = (): Column<FileProblem>[] => [
  {
    id: 'document',
    header: m.health_problem_document(),
    phone: 'title',
    cell: ({ collection_id: id, title }) =>
      id === null ? (
        <UserText>{title}</UserText>
      ) : (
        <TextLink to={contentPath(id)}>
          <UserText>{title}</UserText>
        </TextLink>
      ),
  },
  {
    id: 'owner',
    header: m.health_problem_owner(),
    phone: 'labelled',
    cell: ({ username }) => <UserText>{username}</UserText>,
  },
  {
    id: 'found',
    header: m.health_problem_found(),
    phone: 'labelled',
    cell: ({ found_at: at }) => <DateTime at={at} />,
  },
  {
    id: 'told',
    header: m.health_problem_told(),
    phone: 'line',
    cell: ({ told }) => (
      <span dir="ltr" className="font-mono text-[0.85rem] wrap-anywhere">
        {told}
      </span>
    ),
  },
]

/** The newest first; none of them is sent to anybody while it is so. */
export function FileProblems({ problems }: { problems: FileProblem[] }) {
  return (
    <section aria-labelledby="file-problems" className="sheet min-w-0">
      <h2 id="file-problems" className="p-5 font-serif text-xl leading-snug font-semibold sm:px-6">
        {m.health_problems()}
      </h2>
      <DataTable
        caption={m.health_problems()}
        columns={listColumns()}
        rows={problems}
        rowKey={({ proof_id: id }) => id}
        empty={null}
      />
    </section>
  )
}
