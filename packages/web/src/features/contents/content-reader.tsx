import type { Content } from '@proofdesk/contract/contents'
import { ExternalLink } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { openBlob } from '../../ui/open-file.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'

/** Some 500 kB of code, for those who look at a file. */
const DocumentReader = lazy(() => import('../../ui/reader/document-reader.tsx').catch(() => ({ default: NotLoaded })))

export interface ContentReaderProps {
  content: Content
  /** Absent while it is being fetched. */
  file: Blob | undefined
  takesFocus: boolean
}

/** A file in the page, with the way to a new tab. Fills the room it is given. */
export function ContentReader({ content, file, takesFocus }: ContentReaderProps) {
  if (!file) return <LoadingArea />
  return (
    <Suspense fallback={<LoadingArea />}>
      <DocumentReader
        key={content.id}
        file={file}
        name={content.file_name}
        takesFocus={takesFocus}
        tools={
          <Button onClick={() => openBlob(file)} className="min-h-8.5 max-sm:px-2.5">
            <ExternalLink aria-hidden size={16} />
            <span className="max-sm:in-[[role=toolbar]]:sr-only">{m.content_open_tab()}</span>
          </Button>
        }
      />
    </Suspense>
  )
}

/** The network was away when the reader's code was asked for. */
function NotLoaded({ tools }: { tools?: ReactNode }) {
  return (
    <div role="alert" className="m-auto grid justify-items-center gap-4 p-6 text-center">
      <p className="text-ink-2">{m.reader_not_loaded()}</p>
      {tools}
    </div>
  )
}
