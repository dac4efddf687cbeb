import type { FileProblem } from '@proofdesk/contract/health'
import { contentPath } from '../../lib/paths.ts'
import { m } from '../../paraglide/messages.js'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'

const WHAT: Record<FileProblem['what'], () => string> = {
  certified: m.health_problem_certified,
  original: m.health_problem_original,
  review_document: m.health_problem_review_document,
}

const TOLD: Partial<Record<string, () => string>> = {
  missing: m.health_problem_missing,
  altered: m.health_problem_altered,
}

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
    id: 'what',
    header: m.health_problem_what(),
    phone: 'labelled',
    cell: ({ what }) => WHAT[what](),
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
    cell: ({ what, told }) =>
      what === 'certified' ? (
        <span dir="ltr" className="font-mono text-[0.85rem] wrap-anywhere">
          {told}
        </span>
      ) : (
        (TOLD[told] ?? m.health_problem_unreadable)()
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
        rowKey={(problem) => JSON.stringify(problem)}
        empty={null}
      />
    </section>
  )
}
