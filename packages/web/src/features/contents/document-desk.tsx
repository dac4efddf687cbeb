import type { Collection } from '@proofdesk/contract/collections'
import type { Content } from '@proofdesk/contract/contents'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import { NetworkError, wordsOf } from '../../lib/api-error.ts'
import { useShortcut } from '../../lib/use-shortcut.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { useContents } from './api.ts'
import { ContentReader } from './content-reader.tsx'
import { useFile } from './use-file.ts'

export interface DocumentDeskProps {
  collection: Collection
  /** Which one is looked at; the first when absent or gone. */
  viewedId: number | undefined
  onView: (content: Content) => void
}

/** The documents of a collection, one at a time, always in the page. */
export function DocumentDesk({ collection, viewedId, onView }: DocumentDeskProps) {
  const { data: contents, error } = useContents(collection.id)
  const found = contents?.findIndex(({ id }) => id === viewedId) ?? -1
  const place = Math.max(0, found)
  const viewed = contents?.[place]

  function step(by: 1 | -1) {
    const next = contents?.[place + by]
    if (next) onView(next)
  }

  // Who works by keys reads on by keys: the document that comes takes the focus.
  const desk = useRef<HTMLElement>(null)
  const [takesFocus, setTakesFocus] = useState(false)
  function stepByKey(by: 1 | -1) {
    setTakesFocus(true)
    step(by)
  }
  useShortcut('pagedown', () => stepByKey(1))
  useShortcut('pageup', () => stepByKey(-1))
  useShortcut('o', () => desk.current?.querySelector<HTMLElement>('section[tabindex]')?.focus())

  return (
    <section
      ref={desk}
      aria-label={m.desk_documents()}
      aria-keyshortcuts="Alt+O"
      className="sheet flex h-[min(85dvh,52rem)] min-h-120 flex-col overflow-hidden xl:h-[max(34rem,calc(100dvh-7rem))]"
    >
      {contents && contents.length > 1 && (
        <div className="flex items-center gap-2 border-b border-line px-2 py-2">
          <IconButton
            icon={ChevronLeft}
            label={m.desk_document_previous()}
            aria-keyshortcuts="Alt+PageUp"
            disabled={place === 0}
            onClick={() => step(-1)}
            className="rtl:-scale-x-100"
          />
          <select
            aria-label={m.desk_document_choose()}
            value={viewed?.id}
            onChange={({ target }) => {
              const chosen = contents.find(({ id }) => id === Number(target.value))
              if (chosen) onView(chosen)
            }}
            className="min-h-9.5 min-w-0 grow rounded-control border border-line-strong bg-sheet px-2.5 font-[560]"
          >
            {contents.map(({ id, title, file_name: file }, i) => (
              <option key={id} value={id}>
                {m.desk_document_option({ place: i + 1, title, file })}
              </option>
            ))}
          </select>
          <span className="text-sm whitespace-nowrap text-ink-2 tabular-nums">
            {m.desk_document_place({ place: place + 1, count: contents.length })}
          </span>
          <IconButton
            icon={ChevronRight}
            label={m.desk_document_next()}
            aria-keyshortcuts="Alt+PageDown"
            disabled={place === contents.length - 1}
            onClick={() => step(1)}
            className="rtl:-scale-x-100"
          />
        </div>
      )}
      <div className="flex min-h-0 grow flex-col bg-sunk">
        {viewed && <ViewedFile key={viewed.id} content={viewed} takesFocus={takesFocus} />}
        {!contents && !error && <LoadingArea />}
        {contents?.length === 0 && <EmptyState title={m.contents_empty()} />}
      </div>
    </section>
  )
}

function ViewedFile({ content, takesFocus }: { content: Content; takesFocus: boolean }) {
  const { data: file, error, refetch } = useFile(content)
  if (!error) return <ContentReader content={content} file={file} takesFocus={takesFocus} />
  const words = error instanceof NetworkError ? m.idm_error_text() : wordsOf(error, m.content_view_failed())
  return (
    <div className="m-auto grid justify-items-center gap-4 p-6">
      <ErrorBanner>{words}</ErrorBanner>
      <Button onClick={() => void refetch()}>{m.retry()}</Button>
    </div>
  )
}
