import { PAGE_SIZE } from '@proofdesk/contract/limits'
import { totalPages } from '@proofdesk/contract/paging'
import type { Submission, SubmissionFile } from '@proofdesk/contract/submissions'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { formatFileSize } from '../../lib/file-size.ts'
import { m } from '../../paraglide/messages.js'
import { ErrorBanner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RetryButton } from '../../ui/retry-button.tsx'
import { SectionSheet } from '../../ui/section-sheet.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UserText } from '../../ui/user-text.tsx'
import { useSubmissions } from './api.ts'
import { ChangeWords } from './change-words.tsx'
import { DocumentViewer } from './document-viewer.tsx'
import { FileSignatures } from './file-signatures.tsx'
import { OutcomeBadge } from './outcome-badge.tsx'

/** Loaded with it: in files of their own, what both need would weigh on every screen. */
export { OtherSubmissionNotice } from './other-submission-notice.tsx'

/**
 * Every round of a collection: what was sent, what became of it, and what changed since the one before.
 * @param decision What stands above of the newest that was decided on
 */
export function RoundsPanel({ collectionId, decision }: { collectionId: number; decision: string | null }) {
  const [page, setPage] = useState(1)
  const [read, setRead] = useState<Submission>()
  const { data, error, refetch } = useSubmissions(collectionId, page)
  const newest = data?.results.findIndex(({ admin_desc: text }) => text !== null)
  // A collection that was never sent has no rounds to show.
  if (!error && !data?.count) return null
  return (
    <div className="print:hidden">
      <SectionSheet title={m.submissions_title()}>
        {error && (
          <div className="grid justify-items-start gap-3">
            <ErrorBanner>{m.submissions_failed()}</ErrorBanner>
            <RetryButton onClick={() => void refetch()} />
          </div>
        )}
        {data && (
          <ol className="grid gap-5">
            {data.results.map((submission, index) => (
              <Round
                key={submission.number}
                submission={submission}
                isTold={page === 1 && index === newest && submission.admin_desc === decision}
                onRead={setRead}
              />
            ))}
          </ol>
        )}
        {data && data.count > PAGE_SIZE && (
          <div className="mt-4">
            <Pager page={page} pages={totalPages(data.count, PAGE_SIZE)} onPage={setPage} />
          </div>
        )}
      </SectionSheet>
      <DocumentViewer collectionId={collectionId} submission={read} onClose={() => setRead(undefined)} />
    </div>
  )
}

interface RoundProps {
  submission: Submission
  /** What the reviewer wrote stands elsewhere on the screen. */
  isTold: boolean
  onRead: (submission: Submission) => void
}

function Round({ submission, isTold, onRead }: RoundProps) {
  const { document, number, sent_at, decided_at, admin_desc, changes, files, digest } = submission
  return (
    <li className="grid gap-2 border-t border-line pt-4 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold">{m.submission_number({ number })}</h3>
        <OutcomeBadge submission={submission} />
        <span className="text-sm text-ink-2">
          <DateTime at={decided_at ?? sent_at} />
        </span>
      </div>
      {admin_desc !== null && !isTold && (
        <p className="border-s-2 border-line-strong ps-3 whitespace-pre-line text-ink-2">
          <UserText>{admin_desc}</UserText>
        </p>
      )}
      {changes && (
        <div className="text-ink-2 wrap-anywhere">
          <ChangeWords changes={changes} />
        </div>
      )}
      {document.state === 'ready' && (
        <div>
          <Button onClick={() => onRead(submission)}>
            <FileText aria-hidden size={16} />
            {m.document_read()}
          </Button>
        </div>
      )}
      <details className="min-w-0">
        <summary className="min-h-6 cursor-pointer text-sm">{m.submission_files({ count: files.length })}</summary>
        <ul className="mt-2 grid gap-2">
          {files.map((file, index) => (
            <SentFile key={`${index} ${file.sha256}`} file={file} />
          ))}
        </ul>
        {digest !== null && (
          <>
            <p className="mt-3 text-sm text-ink-2">{m.submission_digest()}</p>
            <p className="font-mono text-xs wrap-anywhere text-ink-2">{digest}</p>
          </>
        )}
      </details>
    </li>
  )
}

function SentFile({ file }: { file: SubmissionFile }) {
  const { title, file_name, pages, size, sha256, is_pictured: isPictured, removed, signatures } = file
  return (
    <li className="min-w-0">
      <p className="wrap-anywhere">
        <UserText>{title}</UserText>
      </p>
      <p className="text-sm wrap-anywhere text-ink-2">
        {m.submission_file({ name: file_name, pages, size: formatFileSize(size) })}
      </p>
      {isPictured && <p className="text-sm text-ink-2">{m.document_is_pictured()}</p>}
      {removed.length > 0 && <p className="text-sm text-ink-2">{m.document_left_out({ kinds: removed.join(', ') })}</p>}
      <p className="font-mono text-xs wrap-anywhere text-ink-2">{sha256}</p>
      <FileSignatures signatures={signatures} />
    </li>
  )
}
