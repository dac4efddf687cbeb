import type { Submission } from '@proofdesk/contract/submissions'
import { m } from '../../paraglide/messages.js'
import { FailedFile } from '../../ui/failed-file.tsx'
import { LateReader } from '../../ui/late-reader.tsx'
import { WideDialog } from '../../ui/wide-dialog.tsx'
import { useDocument } from './use-document.ts'

export interface DocumentViewerProps {
  collectionId: number
  /** Absent while none is looked at. */
  submission: Submission | undefined
  onClose: () => void
}

/** The review document of a submission, over the page. */
export function DocumentViewer({ collectionId, submission, onClose }: DocumentViewerProps) {
  return (
    <WideDialog open={submission !== undefined} onClose={onClose} title={submission && m.document_title()}>
      {submission && <ShownDocument key={submission.number} collectionId={collectionId} submission={submission} />}
    </WideDialog>
  )
}

function ShownDocument({ collectionId, submission }: { collectionId: number; submission: Submission }) {
  const { data: file, error, refetch } = useDocument(collectionId, submission)
  if (error) return <FailedFile error={error} onRetry={() => void refetch()} />
  return <LateReader file={file} name={m.document_title()} takesFocus />
}
