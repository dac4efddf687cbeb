import type { Collection } from '@proofdesk/contract/collections'
import type { Content } from '@proofdesk/contract/contents'
import { m } from '../../paraglide/messages.js'
import { DocumentDeskFrame } from '../../ui/document-desk-frame.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailedFile } from '../../ui/failed-file.tsx'
import { LateReader } from '../../ui/late-reader.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { useContents } from './api.ts'
import { useFile } from './use-file.ts'

export interface DocumentDeskProps {
  collection: Collection
  /** Which one is looked at; the first when absent or gone. */
  viewedId: number | undefined
  onView: (contentId: number) => void
}

/** The originals of a collection, one at a time, always in the page. */
export function DocumentDesk({ collection, viewedId, onView }: DocumentDeskProps) {
  const { data: contents, error } = useContents(collection.id)
  const place = Math.max(0, contents?.findIndex(({ id }) => id === viewedId) ?? 0)
  const viewed = contents?.[place]
  return (
    <DocumentDeskFrame documents={contents} place={place} onChoose={onView}>
      {(takesFocus) => (
        <>
          {viewed && <ViewedFile key={viewed.id} content={viewed} takesFocus={takesFocus} />}
          {!contents && !error && <LoadingArea />}
          {contents?.length === 0 && <EmptyState title={m.contents_empty()} />}
        </>
      )}
    </DocumentDeskFrame>
  )
}

function ViewedFile({ content, takesFocus }: { content: Content; takesFocus: boolean }) {
  const { data: file, error, refetch } = useFile(content)
  if (error) return <FailedFile error={error} onRetry={() => void refetch()} />
  return <LateReader file={file} name={content.file_name} takesFocus={takesFocus} />
}
