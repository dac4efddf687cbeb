import type { Submission, SubmissionFile } from '@proofdesk/contract/submissions'
import { FileText } from 'lucide-react'
import { useMemo, useState } from 'react'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { DocumentDeskFrame } from '../../ui/document-desk-frame.tsx'
import { FailedFile } from '../../ui/failed-file.tsx'
import { LateReader } from '../../ui/late-reader.tsx'
import { LoadingArea } from '../../ui/spinner.tsx'
import { useSubmissions } from './api.ts'
import { FileSignatures } from './file-signatures.tsx'
import { useDocument } from './use-document.ts'

export interface ReviewDocumentDeskProps {
  collectionId: number
  /** Number of the submission that waits. */
  number: number
  /** A file whose first page is to come up; another object brings it up anew. */
  wanted: WantedFile | undefined
  onWant: (contentId: number) => void
  /** Shows the file as it was uploaded. */
  onOriginal: (contentId: number) => void
}

export interface WantedFile {
  contentId: number
}

/** What a decision is on, always in the page: the pages that are certified, with the files as its parts. */
export function ReviewDocumentDesk({ collectionId, number, ...props }: ReviewDocumentDeskProps) {
  const { data, error, refetch } = useSubmissions(collectionId, 1)
  const ready = data?.results.find((one) => one.number === number && one.document.state === 'ready')
  // What stands on the desk stays there, also when somebody has decided and the document has gone from the server.
  const [shown, setShown] = useState(ready)
  if (ready && ready.number !== shown?.number) setShown(ready)
  if (shown?.number !== number)
    return (
      <DocumentDeskFrame documents={undefined} place={0} onChoose={props.onWant}>
        {() => (error ? <FailedFile error={error} onRetry={() => void refetch()} /> : <LoadingArea />)}
      </DocumentDeskFrame>
    )
  return <ReadyDocument key={shown.document.sha256} collectionId={collectionId} submission={shown} {...props} />
}

type ReadyDocumentProps = Omit<ReviewDocumentDeskProps, 'number'> & { submission: Submission }

function ReadyDocument({ collectionId, submission, wanted, onWant, onOriginal }: ReadyDocumentProps) {
  const { data: blob, error, refetch } = useDocument(collectionId, submission)
  const [read, setRead] = useState(0)
  const { files } = submission
  const place = findPlace(files, read)
  const file = files[place]
  const goTo = useMemo(() => {
    const first = files.find(({ content }) => content === wanted?.contentId)?.first_page
    return wanted && first ? { index: first - 1 } : undefined
  }, [files, wanted])
  const documents = files.map(({ content: id, title, file_name }) => ({ id, title, file_name }))
  return (
    <DocumentDeskFrame documents={documents} place={place} onChoose={onWant}>
      {(takesFocus) => (
        <>
          {file && (file.is_pictured || file.removed.length > 0 || file.signatures.length > 0) && (
            <div className="grid max-h-48 shrink-0 gap-2 overflow-auto border-b border-line bg-sheet px-3 py-2">
              <FileSignatures signatures={file.signatures} />
              {file.is_pictured && <p className="text-sm text-ink-2">{m.document_is_pictured()}</p>}
              {file.removed.length > 0 && (
                <p className="text-sm text-ink-2">{m.document_left_out({ kinds: file.removed.join(', ') })}</p>
              )}
            </div>
          )}
          {error ? (
            <FailedFile error={error} onRetry={() => void refetch()} />
          ) : (
            <LateReader
              file={blob}
              name={m.document_title()}
              takesFocus={takesFocus}
              place={goTo}
              onRead={setRead}
              tools={
                file && (
                  <Button onClick={() => onOriginal(file.content)} className="min-h-8.5 max-sm:px-2.5">
                    <FileText aria-hidden size={16} />
                    <span className="max-sm:in-[[role=toolbar]]:sr-only">{m.document_original()}</span>
                  </Button>
                )
              }
            />
          )}
        </>
      )}
    </DocumentDeskFrame>
  )
}

/** @param read Index of a page of the review document. @returns which of the files it is of */
function findPlace(files: readonly SubmissionFile[], read: number): number {
  return Math.max(
    0,
    files.findLastIndex(({ first_page }) => first_page !== null && first_page <= read + 1),
  )
}
