import { certifiedFileName, serveServerContent, type ServerContent } from '@proofdesk/contract/certificates'
import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import { seesProofStaff } from '@proofdesk/contract/role-views'
import { Ban, CircleOff, FileCheck2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { wordsOf } from '../../lib/error-words.ts'
import { openFile } from '../../ui/open-file.ts'
import { contentPath } from '../../lib/paths.ts'
import { useUser } from '../../lib/session.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { useListAddress, useReturnFromPastTheEnd, useSearchText } from '../../lib/use-list-address.ts'
import { m } from '../../paraglide/messages.js'
import { Badge } from '../../ui/badge.tsx'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { FoundCount } from '../../ui/found-count.tsx'
import { ListPager } from '../../ui/list-pager.tsx'
import { RosetteCode } from '../../ui/rosette-code.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { SeenBanner } from '../../ui/seen-banner.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useServerContents } from './api.ts'
import { useNextExpiry } from './use-next-expiry.ts'
import { SERVER_CONTENT_ADDRESS } from './list-state.ts'
import { LateProofDialogs, type ChosenChange } from './late-proof-dialogs.tsx'
import { LateProofMenu } from './late-proof-menu.tsx'
import { sayReason } from '../../lib/revocation-words.ts'

/** Certified PDFs: one's own, or everyone's for reviewers. */
export function ServerContentTable() {
  const viewer = useUser()
  const { state, change } = useListAddress(SERVER_CONTENT_ADDRESS)
  const { data, error, refetch, isPlaceholderData } = useServerContents(viewer, state)
  useNextExpiry(data)
  const search = useCallback((typed: string) => change({ search: typed }, true), [change])
  const [text, setText] = useSearchText(state.search, search)
  const [problem, setProblem] = useState<string>()
  const [chosen, setChosen] = useState<ChosenChange>()
  const columns = useMemo(() => columnsFor(viewer, setProblem, setChosen), [viewer])
  const isPastTheEnd = useReturnFromPastTheEnd(error, state.page, change)
  return (
    <section aria-label={m.server_contents_caption()} className="grid gap-4">
      {problem && <SeenBanner text={problem} />}
      {error && !isPastTheEnd && <ErrorBanner>{wordsOf(error, m.server_contents_failed())}</ErrorBanner>}
      <div className="sheet @container shadow-sheet">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line p-3">
          <div className="flex min-w-0 grow basis-64">
            <SearchBox
              label={isReviewer(viewer) ? m.server_contents_search_all() : m.server_contents_search_own()}
              text={text}
              onText={setText}
            />
          </div>
          <FoundCount page={data} />
        </div>
        <DataTable<ServerContent>
          caption={m.server_contents_caption()}
          columns={columns}
          rows={data?.results ?? (error ? [] : undefined)}
          rowKey={({ collection_proofid: proofid }) => proofid}
          rowClass={({ is_active: isActive }) => (isActive ? '' : 'bg-warn-wash')}
          lines={4}
          stale={isPlaceholderData}
          empty={
            error ? (
              <FailedState onRetry={() => void refetch()} />
            ) : (
              <NoServerContents isSearched={state.search !== ''} onShowAll={() => change({ search: '' })} />
            )
          }
        />
        <ListPager page={state.page} count={data?.count ?? 0} onPage={(page) => change({ page })} />
      </div>
      <LateProofDialogs chosen={chosen} onClose={() => setChosen(undefined)} />
    </section>
  )
}

/** The columns of specification section 2 by role. */
function columnsFor(
  viewer: Viewer,
  onProblem: (problem: string | undefined) => void,
  onChoose: (chosen: ChosenChange) => void,
): Column<ServerContent>[] {
  return [
    {
      id: 'pdf',
      header: m.server_contents_column_pdf(),
      phone: 'end',
      cell: (content) => (
        <span className="flex items-center gap-2">
          <ViewPdf content={content} onProblem={onProblem} />
          <LateProofMenu content={content} onChoose={onChoose} />
        </span>
      ),
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
      visible: seesProofStaff(viewer),
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
  const { collection_proofid: proofid, is_active: isActive, revoked_at: revokedAt } = content
  return (
    <div className="grid justify-items-start gap-1">
      <span className="flex flex-wrap items-center gap-2 font-semibold">
        <CollectionLink content={content} />
        {revokedAt !== null && (
          <Badge icon={Ban} tone="seal">
            {m.proof_is_revoked()}
          </Badge>
        )}
        {revokedAt === null && !isActive && (
          <Badge icon={CircleOff} tone="warn">
            {m.server_contents_inactive()}
          </Badge>
        )}
      </span>
      <RosetteCode code={proofid} copyLabel={m.copy_proofid({ proofid })} />
      <span className="text-xs text-ink-2">
        <Validity content={content} />
      </span>
    </div>
  )
}

/** The title leads to the collection while there is one. */
function CollectionLink({ content: { collection, collection_title: title } }: { content: ServerContent }) {
  if (collection === null) return <UserText lines={2}>{title}</UserText>
  return (
    <Link to={contentPath(collection)} className="text-ink underline-offset-3 hover:text-brand hover:underline">
      <UserText lines={2}>{title}</UserText>
    </Link>
  )
}

function Validity({ content }: { content: ServerContent }) {
  const { collection, expire_time: expireTime, is_active: isActive } = content
  if (content.revoked_at !== null)
    return (
      <>
        {m.proof_revoked_at()} <DateTime at={content.revoked_at} />
        {content.revocation_reason !== null && <>: {sayReason(content.revocation_reason)}</>}
      </>
    )
  if (collection === null) return m.server_contents_collection_gone()
  if (expireTime === null) return m.server_contents_valid_forever()
  return (
    <>
      {isActive ? m.server_contents_valid_until() : m.server_contents_expired()} <DateTime at={expireTime} />
    </>
  )
}

function NoServerContents({ isSearched, onShowAll }: { isSearched: boolean; onShowAll: () => void }) {
  if (!isSearched) return <EmptyState title={m.server_contents_empty()} text={m.server_contents_empty_text()} />
  return (
    <EmptyState
      title={m.server_contents_empty()}
      text={m.server_contents_empty_filtered()}
      action={<Button onClick={onShowAll}>{m.server_contents_show_all()}</Button>}
    />
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
    const query = { collection_proofid: content.collection_proofid }
    try {
      await openFile(serveServerContent, { query }, certifiedFileName(content.user))
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
