import type { Content } from '@proofdesk/contract/contents'
import { useEffect, useEffectEvent } from 'react'
import { NetworkError } from '../../lib/api-error.ts'
import { wordsOf } from '../../lib/error-words.ts'
import { m } from '../../paraglide/messages.js'
import { showNotice } from '../../ui/ask.ts'
import { LateReader } from '../../ui/late-reader.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { WideDialog } from '../../ui/wide-dialog.tsx'
import { useFile } from './use-file.ts'

export interface ContentViewerProps {
  /** Absent while nothing is looked at. */
  content: Content | undefined
  onClose: () => void
  onProblem: (problem: string | undefined) => void
}

/** A file shown in the page, over it. */
export function ContentViewer({ content, onClose, onProblem }: ContentViewerProps) {
  return (
    <WideDialog open={content !== undefined} onClose={onClose} title={content && <UserText>{content.title}</UserText>}>
      {content && <ShownFile key={content.id} content={content} onClose={onClose} onProblem={onProblem} />}
    </WideDialog>
  )
}

function ShownFile({ content, onClose, onProblem }: ContentViewerProps & { content: Content }) {
  const { data: file, error } = useFile(content)
  const fail = useEffectEvent((failure: Error) => {
    onClose()
    if (failure instanceof NetworkError) void showNotice({ title: m.idm_error_title(), text: m.idm_error_text() })
    else onProblem(wordsOf(failure, m.content_view_failed()))
  })
  useEffect(() => {
    if (error) fail(error)
  }, [error])
  return <LateReader file={file} name={content.file_name} takesFocus />
}
