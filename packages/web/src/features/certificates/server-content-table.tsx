import { serveServerContent, type ServerContent } from '@proofdesk/contract/certificates'
import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { totalPages } from '@proofdesk/contract/paging'
import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import { CircleOff, FileCheck2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { wordsOf } from '../../lib/api-error.ts'
import { openFile } from '../../lib/open-file.ts'
import { useUser } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RosetteCode } from '../../ui/rosette-code.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useServerContents } from './api.ts'

/** Certified PDFs: one's own, or everyone's for reviewers. */
export function ServerContentTable() {
  const viewer = useUser()
  const [page, setPage] = usePage()
  const { data, error, refetch, isPlaceholderData } = useServerContents(viewer, page)
  const [problem, setProblem] = useState<string>()
  const columns = useMemo(() => columnsFor(viewer, setProblem), [viewer])
  return (
    <section aria-label={m.server_contents_caption()} className="grid gap-4">
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      {error && <ErrorBanner>{wordsOf(error, m.server_contents_failed())}</ErrorBanner>}
      <div className="sheet shadow-sheet">
        <DataTable<ServerContent>
          caption={m.server_contents_caption()}
          columns={columns}
          rows={data?.results ?? (error ? [] : undefined)}
          rowKey={({ collection_proofid: proofid }) => proofid}
          rowClass={({ is_active: isActive }) => (isActive ? '' : 'bg-warn-wash')}
          lines={2}
          stale={isPlaceholderData}
          empty={
            error ? (
              <FailedState onRetry={() => void refetch()} />
            ) : (
              <EmptyState title={m.server_contents_empty()} text={m.server_contents_empty_text()} />
            )
          }
        />
        <div className="border-t border-line p-3">
          <Pager page={page} pages={totalPages(data?.count ?? 0, PAGE_SIZE)} onPage={setPage} />
        </div>
      </div>
    </section>
  )
}

/** The page in the address; counts from 1. */
function usePage(): [page: number, setPage: (page: number) => void] {
  const [address, setAddress] = useSearchParams()
  const page = Number(/^[1-9]\d{0,8}$/.exec(address.get('page') ?? '')?.[0] ?? 1)
  return [page, (next) => setAddress(next > 1 ? { page: String(next) } : {})]
}

/** The columns of specification section 2 by role. */
function columnsFor(viewer: Viewer, onProblem: (problem: string | undefined) => void): Column<ServerContent>[] {
  return [
    {
      id: 'pdf',
      header: m.server_contents_column_pdf(),
      phone: 'end',
      cell: (content) => <ViewPdf content={content} onProblem={onProblem} />,
    },
    {
      id: 'title',
      header: m.server_contents_column_title(),
      phone: 'title',
      className: '@3xl:w-2/5',
      cell: (content) => <TitleCell content={content} />,
    },
    {
      id: 'user',
      header: m.server_contents_column_user(),
      visible: isReviewer(viewer),
      phone: 'labelled',
      cell: ({ user }) => <UserText>{user}</UserText>,
    },
    {
      id: 'staff',
      header: m.server_contents_column_staff(),
      visible: !viewer.is_staff,
      phone: 'labelled',
      cell: ({ staff_username: staff }) => <UserText>{staff}</UserText>,
    },
    {
      id: 'created',
      header: m.server_contents_column_created(),
      phone: 'labelled',
      cell: ({ created_at: createdAt }) => <DateTime at={createdAt} />,
    },
  ]
}

function TitleCell({ content }: { content: ServerContent }) {
  const { collection_proofid: proofid, collection_title: title, is_active: isActive } = content
  return (
    <div className="grid justify-items-start gap-1">
      <span className="flex flex-wrap items-center gap-2 font-semibold">
        <UserText>{title}</UserText>
        {!isActive && (
          <Badge icon={CircleOff} tone="warn">
            {m.server_contents_inactive()}
          </Badge>
        )}
      </span>
      <RosetteCode code={proofid} copyLabel={m.copy_proofid({ proofid })} />
    </div>
  )
}

interface ViewPdfProps {
  content: ServerContent
  onProblem: (problem: string | undefined) => void
}

function ViewPdf({ content, onProblem }: ViewPdfProps) {
  const [busy, run] = useBusy()

  async function view() {
    onProblem(undefined)
    try {
      await openFile(serveServerContent, { query: { collection_proofid: content.collection_proofid } })
    } catch (error) {
      onProblem(wordsOf(error, m.certificate_failed()))
    }
  }

  return (
    <Button
      busy={busy}
      aria-label={m.certificate_view_named({ title: content.collection_title })}
      onClick={() => void run(view)}
    >
      {!busy && <FileCheck2 aria-hidden size={16} />}
      {m.certificate_view()}
    </Button>
  )
}
