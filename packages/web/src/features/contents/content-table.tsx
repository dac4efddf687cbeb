import type { Collection } from '@proofdesk/contract/collections'
import type { Content } from '@proofdesk/contract/contents'
import { isReviewer, type Viewer } from '@proofdesk/contract/permissions'
import { CircleCheck, CircleOff, Trash2 } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { attempt } from '../../lib/attempt.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { formatFileSize } from '../../lib/file-size.ts'
import { useUser } from '../../lib/session.ts'
import { useHasLeft } from '../../lib/use-has-left.ts'
import { m } from '../../paraglide/messages.js'
import { askConfirm } from '../../ui/ask.ts'
import { ErrorBanner } from '../../ui/banner.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { SeenBanner } from '../../ui/seen-banner.tsx'
import { showToast } from '../../ui/toast.ts'
import { UserText } from '../../ui/user-text.tsx'
import { useContents, useDeleteContent } from './api.ts'
import { ContentMenu } from './content-menu.tsx'
import { ContentViewer } from './content-viewer.tsx'
import { FileActions } from './file-actions.tsx'
import { RenameContentDialog } from './rename-content-dialog.tsx'
import { Thumbnail } from './thumbnail.tsx'
import { useMoving } from './use-moving.ts'
import { useReplacing } from './use-replacing.tsx'

export interface ContentTableProps {
  collection: Collection
  /** Shows a file elsewhere on the page; without it one is shown over the page. */
  onView?: ((content: Content) => void) | undefined
}

/** The files of one collection. */
export function ContentTable({ collection, onView }: ContentTableProps) {
  const viewer = useUser()
  const { data, error, refetch } = useContents(collection.id)
  const { problem, setProblem, deletedIds, deleteAfterAsking } = useContentDeletion(collection.id)
  const [viewed, setViewed] = useState<Content>()
  const [renamed, setRenamed] = useState<Content>()
  const { area, move, isMoving } = useMoving(collection, data, setProblem)
  const { choose, replacedId, control } = useReplacing(collection.id, setProblem)
  const mayChange = collection.may.change_contents
  const view = useCallback(
    (content: Content) => {
      setProblem(undefined)
      ;(onView ?? setViewed)(content)
    },
    [onView, setProblem],
  )
  const columns = useMemo(
    () =>
      columnsFor(viewer, { onView: view, onProblem: setProblem }, (content) => {
        const { title, file_name: file, may } = content
        if (!may.change && !may.delete) return null
        return (
          <div className="flex items-center justify-end gap-2 @3xl:justify-start">
            {may.change && (
              <ContentMenu
                content={content}
                contents={data}
                busy={replacedId !== undefined}
                isMoving={isMoving}
                onRename={setRenamed}
                onReplace={choose}
                onMove={move}
              />
            )}
            {may.delete && (
              <IconButton
                icon={Trash2}
                label={m.content_delete_named({ title, file })}
                aria-busy={deletedIds.has(content.id)}
                disabled={deletedIds.has(content.id) || replacedId === content.id}
                className="text-seal"
                onClick={() => deleteAfterAsking(content)}
              />
            )}
          </div>
        )
      }),
    [viewer, view, setProblem, deletedIds, deleteAfterAsking, data, replacedId, choose, move, isMoving],
  )

  return (
    <section aria-labelledby="contents" className="peer grid gap-3">
      <h2 id="contents" className="font-serif text-xl font-semibold">
        {m.contents_title()}
      </h2>
      {problem && <SeenBanner text={problem} />}
      {error && <ErrorBanner>{wordsOf(error, m.contents_failed(), m.server_contents_failed())}</ErrorBanner>}
      {mayChange && data && data.length > 1 && <p className="text-sm text-ink-2">{m.contents_order_hint()}</p>}
      {mayChange && control}
      <div ref={area} className="sheet">
        <DataTable<Content>
          caption={m.contents_title()}
          columns={columns}
          rows={data ?? (error || collection.content_count === 0 ? [] : undefined)}
          rowKey={({ id }) => id}
          keepRows={3}
          lines={4}
          expectedRows={collection.content_count}
          empty={error ? <FailedState onRetry={() => void refetch()} /> : <ContentsEmpty mayAdd={mayChange} />}
        />
      </div>
      <RenameContentDialog content={renamed} onClose={() => setRenamed(undefined)} />
      <ContentViewer content={viewed} onClose={() => setViewed(undefined)} onProblem={setProblem} />
    </section>
  )
}

function ContentsEmpty({ mayAdd }: { mayAdd: boolean }) {
  if (mayAdd) return <EmptyState title={m.contents_empty()} text={m.contents_empty_owner()} />
  // Files may have been removed.
  return <EmptyState title={m.contents_none()} text={m.contents_none_text()} />
}

function useContentDeletion(collectionId: number) {
  const [problem, setProblem] = useState<string>()
  // Several may be on their way out at once.
  const [deletedIds, setDeletedIds] = useState<ReadonlySet<number>>(new Set())
  const { mutateAsync } = useDeleteContent(collectionId)
  const hasLeft = useHasLeft()
  const deleteAfterAsking = useCallback(
    async (content: Content) => {
      setProblem(undefined)
      const text = m.content_delete_text({ title: content.title, file: content.file_name })
      const isSure = await askConfirm({ title: m.are_you_sure(), text, action: m.content_delete(), danger: true })
      if (!isSure) return
      setDeletedIds((ids) => new Set([...ids, content.id]))
      // Awaited: what is given to `mutate` is not told of one deletion once another has begun.
      const outcome = await attempt(mutateAsync(content))
      if (hasLeft()) return
      setDeletedIds((ids) => new Set([...ids].filter((id) => id !== content.id)))
      if (outcome.isDone) showToast(m.content_deleted())
      else setProblem(wordsOf(outcome.error, m.content_delete_failed()))
    },
    [mutateAsync, hasLeft],
  )
  const start = useCallback((content: Content) => void deleteAfterAsking(content), [deleteAfterAsking])
  return { problem, setProblem, deletedIds, deleteAfterAsking: start }
}

interface FileHandlers {
  onView: (content: Content) => void
  onProblem: (problem: string | undefined) => void
}

/** In the order of specification section 2. */
function columnsFor(
  viewer: Viewer,
  handlers: FileHandlers,
  renderActions: (content: Content) => React.ReactNode,
): Column<Content>[] {
  return [
    {
      id: 'title',
      header: m.collection_column_title(),
      phone: 'title',
      className: 'font-semibold',
      cell: ({ title }) => <UserText>{title}</UserText>,
    },
    {
      id: 'file',
      header: m.contents_column_file(),
      phone: 'line',
      className: '@3xl:w-2/5',
      cell: (content) => <FileCell content={content} {...handlers} />,
    },
    {
      id: 'type',
      header: m.contents_column_type(),
      phone: 'inline',
      cell: ({ type }) => <span className="font-mono text-sm">{type}</span>,
    },
    {
      id: 'active',
      header: m.contents_column_active(),
      phone: 'labelled',
      cell: ({ is_active: isActive }) => <ActiveMark isActive={isActive} />,
    },
    { id: 'actions', header: m.column_actions(), phone: 'corner', isOnScreenOnly: true, cell: renderActions },
    {
      id: 'username',
      header: m.user_name(),
      visible: isReviewer(viewer),
      phone: 'labelled',
      cell: ({ username }) => <UserText>{username}</UserText>,
    },
  ]
}

function FileCell({ content, onView, onProblem }: FileHandlers & { content: Content }) {
  const size = formatFileSize(content.size)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="flex min-w-0 grow basis-44 items-center gap-3">
        <Thumbnail content={content} onView={onView} />
        <span className="grid min-w-0">
          <UserText lines={2}>{content.file_name}</UserText>
          <span className="text-sm text-ink-2">{m.content_pages({ size, pages: content.pages })}</span>
          {content.is_pictured && <span className="text-sm text-ink-2">{m.document_is_pictured()}</span>}
        </span>
      </div>
      <FileActions content={content} onView={onView} onProblem={onProblem} />
    </div>
  )
}

function ActiveMark({ isActive }: { isActive: boolean }) {
  const Icon = isActive ? CircleCheck : CircleOff
  return (
    <span className={`inline-flex items-center gap-1.5 ${isActive ? 'text-ok' : 'text-ink-2'}`}>
      <Icon aria-hidden size={15} />
      {isActive ? m.yes() : m.no()}
    </span>
  )
}
