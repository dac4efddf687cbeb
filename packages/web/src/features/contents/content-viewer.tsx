import { MEDIA_TYPE_OF, serveContent, type Content } from '@proofdesk/contract/contents'
import { ExternalLink } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { NetworkError, wordsOf } from '../../lib/api-error.ts'
import { callFile } from '../../lib/call.ts'
import { openBlob } from '../../lib/open-file.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { WideDialog } from '../../ui/wide-dialog.tsx'

export interface ContentViewerProps {
  /** Absent while nothing is looked at. */
  content: Content | undefined
  onClose: () => void
  onProblem: (problem: string | undefined) => void
}

/** A file shown in the page: an image as it is, a PDF by the browser's own viewer. */
export function ContentViewer({ content, onClose, onProblem }: ContentViewerProps) {
  return (
    <WideDialog open={content !== undefined} onClose={onClose} title={content && <UserText>{content.title}</UserText>}>
      {content && <ShownFile key={content.id} content={content} onClose={onClose} onProblem={onProblem} />}
    </WideDialog>
  )
}

function ShownFile({ content, onClose, onProblem }: ContentViewerProps & { content: Content }) {
  const file = useFile(content, (error) => {
    onClose()
    if (error instanceof NetworkError) void showNotice({ title: m.idm_error_title(), text: m.idm_error_text() })
    else onProblem(wordsOf(error, m.content_view_failed()))
  })
  return (
    <>
      <div className="mt-4 flex h-[min(70dvh,56rem)] flex-col items-center justify-center overflow-auto rounded-control border border-line bg-sunk">
        {file ? <FileArea content={content} url={file.url} /> : <LoadingArea />}
      </div>
      <DialogActions>
        <Button disabled={!file} onClick={() => file && openBlob(file.blob)}>
          <ExternalLink aria-hidden size={16} />
          {m.content_open_tab()}
        </Button>
        <Button kind="brand" onClick={onClose}>
          {m.close()}
        </Button>
      </DialogActions>
    </>
  )
}

function FileArea({ content, url }: { content: Content; url: string }) {
  if (content.type !== 'PDF')
    return <img src={url} alt={content.file_name} className="max-h-full max-w-full object-contain" />
  // Phones mostly have no viewer that works inside a page.
  if (!navigator.pdfViewerEnabled) return <p className="p-6 text-center text-ink-2">{m.content_no_viewer()}</p>
  // A sandbox would keep the browser's viewer out; the type was checked, so nothing in it can run.
  // oxlint-disable-next-line react/iframe-missing-sandbox
  return <iframe src={url} title={content.file_name} className="h-full w-full" />
}

/** Fetches the file of a content; its object URL lives as long as it is shown. */
function useFile(content: Content, onFailure: (error: unknown) => void) {
  const [file, setFile] = useState<{ blob: Blob; url: string }>()
  const fail = useEffectEvent(onFailure)
  useEffect(() => {
    const cancel = new AbortController()
    let url: string | undefined
    async function load() {
      const blob = await callFile(serveContent, { query: { content_id: content.id } }, { signal: cancel.signal })
      if (blob.type !== MEDIA_TYPE_OF[content.type]) throw new Error(`Not the type it should have: ${blob.type}`)
      if (cancel.signal.aborted) return
      url = URL.createObjectURL(blob)
      setFile({ blob, url })
    }
    load().catch((error: unknown) => cancel.signal.aborted || fail(error))
    return () => {
      cancel.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [content.id, content.type])
  return file
}
