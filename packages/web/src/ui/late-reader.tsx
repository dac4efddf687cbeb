import { lazy, Suspense, type ComponentProps, type ReactNode } from 'react'
import { ExternalLink } from 'lucide-react'
import { m } from '../paraglide/messages.js'
import { Button } from './button.tsx'
import { openBlob } from './open-file.ts'
import { LoadingArea } from './spinner.tsx'

/** Some 500 kB of code, for those who look at a file. */
const DocumentReader = lazy(() => import('./reader/document-reader.tsx').catch(() => ({ default: NotLoaded })))

export interface LateReaderProps extends Omit<ComponentProps<typeof DocumentReader>, 'file'> {
  /** Absent while it is being fetched. */
  file: Blob | undefined
}

/** A file in the page, with the way to a new tab. Fills the room it is given. Changes its file by a new key. */
export function LateReader({ file, tools, ...props }: LateReaderProps) {
  if (!file) return <LoadingArea />
  return (
    <Suspense fallback={<LoadingArea />}>
      <DocumentReader
        file={file}
        {...props}
        tools={
          <>
            {tools}
            <Button onClick={() => openBlob(file, props.name)} className="min-h-8.5 max-sm:px-2.5">
              <ExternalLink aria-hidden size={16} />
              <span className="max-sm:in-[[role=toolbar]]:sr-only">{m.content_open_tab()}</span>
            </Button>
          </>
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
